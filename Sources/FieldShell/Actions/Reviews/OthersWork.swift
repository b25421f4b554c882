import DocumentValues
import FieldModels
import FieldRecords

/// Whose an inspection is, before somebody else goes on with it.
struct OthersWork {
    let session: ShellSession

    /// Whether an inspection of somebody else is to stay as it is, once the person at the terminal knows whose it is. Scripts
    /// say what they mean.
    ///
    /// - Parameter verb: what was typed: `Submit`, `Change`.
    func isLeftAlone(_ inspection: Inspection, asking verb: String) throws -> Bool {
        guard session.canAsk, let user = try session.settings().user, !inspection.isWork(of: user),
            inspection.envelope.createdBy?.isExactly(user) != true
        else { return false }
        let owner = (inspection.inspector ?? inspection.envelope.createdBy ?? "somebody else").printableLine
        return try !session.consents(to: "The inspection is \(owner)'s. \(verb) it all the same?")
    }
}
