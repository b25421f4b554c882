import DocumentStore
import DocumentValues
import FieldModels

/// Which findings are hidden because their inspection is deleted.
///
/// Findings that others have are not deleted with their inspection: somebody may have edited the inspection meanwhile, which
/// brings it back, and its findings have to be there then. They are deleted some weeks later: see
/// ``FieldDatabase/deleteFindingsOfDeletedInspections(by:)``.
struct InspectionTies<Record: FieldRecord> {
    private let deleted: Set<Name>

    /// - Parameter inspections: is not looked at for records of other kinds.
    init(_ inspections: Collection) throws {
        deleted = Record.kind == .finding ? try inspections.deletedIDs() : []
    }

    /// A finding that no list shows cannot be changed.
    ///
    /// - Throws: `RecordActionError` for a finding of a deleted inspection.
    static func check(_ record: Record, among inspections: Collection) throws {
        guard let id = (record as? Finding)?.inspection, try inspections.exchange(of: id)?.isDeleted == true else {
            return
        }
        throw RecordActionError(.partOfDeleted(inspection: id), kind: Record.kind, id: record.id)
    }

    /// Whether nothing is hidden.
    var isEmpty: Bool { deleted.isEmpty }

    func hides(_ record: Record) -> Bool { !deleted.isEmpty && hides(inspection: (record as? Finding)?.inspection) }

    /// - Parameter inspection: that of a finding, by its id.
    func hides(inspection: String?) -> Bool {
        guard !deleted.isEmpty, let inspection else { return false }
        return deleted.contains(Name(inspection))
    }
}

extension FieldDatabase {
    /// Deletes what the author has found at inspections that were deleted weeks ago, and that nobody has brought back. What
    /// they are is kept, like the content of what others delete: who brings the inspection back later gets them, too.
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
        // What finds no room there stays, hidden.
        let kept = try keptDeletions().count(where: \.record.isTied)
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
