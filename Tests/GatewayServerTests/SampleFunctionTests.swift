import DocumentValues
import Foundation
import Testing

@testable import GatewayServer

/// The administrator of the sample data sends the function that the program has.
@Suite struct SampleFunctionTests {
    /// What the demo and administrators without the commands use is the same text.
    @Test func theSampleDataHasTheSameFunction() throws {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("sample-data/sync.js")
        // A link, so that there is one text; a copy would be another one some day.
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: file.path)
        #expect(target == "../Sources/GatewayServer/Field/field-sync.js")
        #expect(try String(contentsOf: file, encoding: .utf8).isExactly(FieldSchema.syncFunction))
    }
}
