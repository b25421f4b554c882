import DocumentValues
import FieldModels
import FieldRecords

/// Names the inspector of an inspection before another user goes on with it.
struct OthersWork {
    let session: ShellSession

    /// Asks about another user's inspection, and shows whose it is. Scripts are not asked.
    ///
    /// - Parameter verb: the typed command: `Submit`, `Change`.
    ///
    /// - Returns: whether it is left as it is.
    func askToLeave(_ inspection: Inspection, verb: String) throws -> Bool {
        guard session.canAsk, let user = try session.settings().user, !inspection.isWork(of: user),
            inspection.envelope.createdBy?.isExactly(user) != true
        else { return false }
        let owner = (inspection.inspector ?? inspection.envelope.createdBy ?? "somebody else").printableLine
        return try !session.consents(to: "The inspection is \(owner)'s. \(verb) it all the same?")
    }
}
