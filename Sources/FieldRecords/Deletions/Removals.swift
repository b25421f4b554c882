import DocumentStore
import DocumentValues
import FieldModels

/// Deletions by a person, with the checks whether a record may be deleted.
public struct Removals: RecordService {
    let store: RecordStore
    let journal: ChangeJournal
    let submissions: Submissions

    /// Deletes findings of an inspection that is still open, in one transaction. A finding that has changed since the user
    /// looked at it stays: the user has not agreed to its deletion.
    ///
    /// Of more than ``FieldRecordsLimits/notedDeletions`` the journal notes only that there was such a change: each would be
    /// a document of the journal, and earlier changes could not be taken back either.
    ///
    /// - Returns: how many were deleted.
    /// - Throws: `RecordActionError` if the inspection has been handed in.
    public func delete(_ known: [Finding], by author: Author) throws -> Int {
        let isNoted = known.count <= FieldRecordsLimits.notedDeletions
        return try database.inBatch {
            if let first = known.first { try submissions.checkIsOpen(inspectionOf: first) }
            if !isNoted { try journal.noteWhole("delete findings", by: author) }
            var count = 0
            for finding in known where try findings.findReadable(finding.id)?.object == finding.object {
                if isNoted { try findings.delete(finding.id) } else { try findings.deleteUnnoted(finding.id) }
                count += 1
            }
            return count
        }
    }

    /// Deletes an inspection that is still open, with its findings: those that never left this laptop at once, the others
    /// are hidden for as long as it is deleted.
    ///
    /// - Returns: how many findings went with it.
    public func deleteInspection(_ id: String) throws -> Int {
        try database.inBatch {
            guard try collection(of: .inspection).document(id: id) != nil else {
                throw RecordActionError(.notFound, kind: .inspection, id: id)
            }
            // A damaged record can be deleted, too.
            if let inspection = try inspections.findReadable(id) { try submissions.checkIsOpen(inspection) }
            let findings = try findings.all(ofInspection: id).records
            for finding in findings {
                let exchange = try collection(of: .finding).exchange(of: finding.id)
                if exchange?.isKnownToRemotes != true { try self.findings.delete(finding.id) }
            }
            try inspections.delete(id)
            return findings.count
        }
    }

    /// Deletes a finding of an inspection that is still open, or of none.
    public func deleteFinding(_ id: String) throws {
        try database.inBatch {
            // A damaged record can be deleted, too.
            if let finding = try findings.findReadable(id) { try submissions.checkIsOpen(inspectionOf: finding) }
            try findings.delete(id)
        }
    }

    /// The records that refer to a site: `3 inspections`, `1 finding`; empty if there are none.
    public func records(ofSite id: String) throws -> [String] {
        func count<Record>(_ list: RecordList<Record>, site: KeyPath<Record, String>) -> Int {
            list.records.filter { $0[keyPath: site].isExactly(id) }.count
        }
        return [
            (count(try inspections.all(), site: \.site), "inspection"),
            (count(try findings.all(), site: \.site), "finding"),
            (count(try assignments.all(), site: \.site), "assignment"),
            (try responses.all().records.count { $0.site.isExactly(id) }, "response"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    }

    /// Deletes a site that no record refers to.
    ///
    /// - Throws: `RecordActionError` naming how many inspections, findings or assignments there are.
    public func deleteSite(_ id: String) throws {
        try database.inBatch {
            let users = try records(ofSite: id)
            guard users.isEmpty else {
                throw RecordActionError(.inUse(by: users.joined(separator: " and ")), kind: .site, id: id)
            }
            try sites.delete(id)
        }
    }
}
