import FormLogic
import Foundation
import Testing

@testable import FormExchange

/// The forms of `sample-data/forms`, and the XForms that pyxform made of them.
enum SampleForms {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func yaml(_ name: String) throws -> Form {
        let url = root.appendingPathComponent("sample-data/forms/\(name).yaml")
        return FormYAML.read(try String(contentsOf: url, encoding: .utf8)).form
    }

    static func xform(_ name: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/Samples", withExtension: nil))
        return [UInt8](try Data(contentsOf: url.appendingPathComponent("\(name).xml")))
    }
}
