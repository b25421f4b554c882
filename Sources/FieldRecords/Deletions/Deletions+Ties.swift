import DocumentStore
import DocumentValues
import FieldModels

extension Deletions {
    /// Deletes the author's findings at inspections that were deleted weeks ago and not brought back. Their content is
    /// kept, like that of records that others delete: a person who brings the inspection back later gets them, too.
    ///
    /// - Returns: how many findings.
    @discardableResult
    public func deleteFindingsOfDeletedInspections(by author: Author) throws -> Int {
        let (findings, inspections) = (collection(of: .finding), collection(of: .inspection))
        let deleted = try inspections.deletedIDs()
        guard !deleted.isEmpty, let name = author.name else { return 0 }
        var due: [String] = []
        let oldest = Double(author.moment.secondsSince1970 - FieldRecordsLimits.deletedInspection)
        try findings.forEachBody { id, json in
            let body = JSONObject.readable(json)
            guard body?["createdBy"]?.stringValue?.isExactly(name) == true,
                let inspection = body?["inspection"]?.stringValue, deleted.contains(Name(inspection)),
                let exchange = try inspections.exchange(of: inspection), exchange.isSent, exchange.date < oldest
            else { return }
            due.append(id)
        }
        // Findings beyond that limit stay, hidden.
        let kept = try pages.kept().count(where: \.record.isTied)
        due = Array(due.prefix(max(0, FieldRecordsLimits.deletedElsewhere - kept)))
        try database.inBatch {
            try keep(.finding, ids: due, isTied: true)
            for id in due {
                guard let document = try findings.document(id: id) else { continue }
                try findings.deleteRecord(document)
            }
        }
        return due.count
    }
}
