import DocumentValues
import Fieldbook
import Foundation

/// Saves one document a line of standard input, many in one transaction.
struct LineImport {
    private let collection: Fieldbook.Collection
    private let database: Database

    init(_ collection: Fieldbook.Collection, database: Database) {
        self.collection = collection
        self.database = database
    }

    func run() throws {
        var batch: [(number: Int, line: [UInt8])] = []
        var number = 0
        while let line = try nextLine() {
            number += 1
            guard !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { continue }
            batch.append((number, line))
            if batch.count == DatabaseCommandLimits.documentsPerTransaction {
                try save(batch)
                batch = []
            }
        }
        try save(batch)
    }

    /// Its bytes, whatever they are: a text that is not UTF-8 is refused, and not repaired.
    private func nextLine() throws -> [UInt8]? {
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        let count = getline(&buffer, &capacity, stdin)
        guard count > 0, let buffer else { return nil }
        var line = UnsafeRawBufferPointer(start: buffer, count: count).map { $0 }
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        return line
    }

    private func save(_ batch: [(number: Int, line: [UInt8])]) throws {
        try database.inBatch {
            for (number, line) in batch {
                do { try save(line) } catch {
                    throw CommandFailure(
                        "Line \(number): \(error)",
                        hint: "None of the \(batch.count) lines from \(batch[0].number) on was saved.")
                }
            }
        }
    }

    private func save(_ line: [UInt8]) throws {
        let (id, body) = try DocumentText.read(line)
        guard let id else { throw CommandFailure("The object has no _id.") }
        try collection.save(document: MutableDocument(id: id, body: body))
    }
}
