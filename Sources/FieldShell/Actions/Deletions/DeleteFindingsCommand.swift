import DocumentValues
import FieldModels
import FieldRecords

/// Deletes one person's findings at an inspection.
struct DeleteFindingsCommand {
    let session: ShellSession

    /// Any user of the district may add findings to an inspection, and thousands cannot be deleted one by one.
    func run(of text: String, by user: String) throws -> Done {
        let reference = try RecordFinder(session: session).find(text, among: [.inspection])
        let field = try session.field()
        let all = try field.findings.all(ofInspection: reference.id).records
        let findings = all.filter { $0.envelope.createdBy.isExactly(user) }
        guard let first = findings.first else { throw Self.noFindings(of: reference, by: user, among: all) }
        do { try field.submissions.checkIsOpen(inspectionOf: first) } catch {
            throw try DeleteCommand(session: session).returnedFirst(RecordReference(.finding, id: first.id)) ?? error
        }
        let summary = "\(findings.count.of("finding")) of the inspection \(reference.shortID) by \(user.printableLine)"
        let warnings = [try supervisorsOnly(user), Self.warning(findings.count)].compactMap(\.self)
        let question = warnings + ["Delete \(summary)\(warnings.isEmpty ? "" : " all the same")?"]
        guard try session.consents(to: question.joined(separator: " ")) else {
            return Done("Nothing was deleted.", object: [:])
        }
        let count = try field.removals.delete(findings, by: session.author())
        let left = findings.count - count
        let stay = left == 0 ? "" : " \(left) of these have changed since, and \(left == 1 ? "stays" : "stay")."
        return Done(
            "Deleted \(count.of("finding")) of the inspection \(reference.shortID) by \(user.printableLine).\(stay)",
            object: ["_id": .string(reference.id), "deleted": .bool(count > 0), "findings": .int(count)])
    }

    private static func noFindings(
        of reference: RecordReference, by user: String, among all: [Finding]
    ) -> UsageError {
        let names = Set(all.compactMap { $0.envelope.createdBy.map { Name($0) } }).sorted()
        let people = names.prefix(ShellLimits.candidates).map(\.text.printableLine).joined(separator: ", ")
        return UsageError(
            "The inspection \(reference.shortID) has no findings by '\(user.printableLine)'.",
            hint: people.isEmpty ? "It has no findings at all." : "It has some by: \(people)")
    }

    /// A note for users who are not known to be supervisors.
    private func supervisorsOnly(_ creator: String) throws -> String? {
        guard let user = try session.settings().user, !user.isExactly(creator),
            try session.field().store.supervisorRole(of: user) != .known
        else { return nil }
        return "The gateway lets only supervisors delete records of others."
    }

    private static func warning(_ count: Int) -> String? {
        count > FieldRecordsLimits.notedDeletions ? "That is too many to be brought back later." : nil
    }
}
