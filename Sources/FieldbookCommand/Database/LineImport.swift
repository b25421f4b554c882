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
        while let line = readLine(strippingNewline: true) {
            number += 1
            guard !line.unicodeScalars.allSatisfy(\.properties.isWhitespace) else { continue }
            batch.append((number, Array(line.utf8)))
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
