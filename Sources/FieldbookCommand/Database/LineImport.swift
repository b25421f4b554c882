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
        var lines = InputLines()
        while let line = try lines.next() {
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
