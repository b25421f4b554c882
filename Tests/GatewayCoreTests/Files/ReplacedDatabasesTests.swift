import Foundation
import Testing

@testable import GatewayCore

/// The databases that restores have moved away, by the names of their folders.
@Suite struct ReplacedDatabasesTests {
    @Test func theNewestThatWasServedIsFound() throws {
        let storage = FileManager.default.temporaryDirectory.appendingPathComponent("replaced-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: storage) }
        for name in ["field-90", "field-100", "field-100-2", "field-120", "field-2-130", "field-200-300", "field-x"] {
            try FileManager.default.createDirectory(
                atPath: "\(storage)/.replaced-\(name)", withIntermediateDirectories: true)
        }
        try RestoredMark(folder: "\(storage)/.replaced-field-120").set()
        func lastServed(_ name: String) throws -> String? {
            try ReplacedDatabases(of: name, in: storage).lastServed()
        }
        #expect(try lastServed("field") == "\(storage)/.replaced-field-100-2")
        #expect(try lastServed("field-2") == "\(storage)/.replaced-field-2-130")
        #expect(try lastServed("fiel") == nil)
        #expect(ReplacedDatabases(of: "field", in: storage).unusedPath(now: 100) == "\(storage)/.replaced-field-100-3")
    }
}
