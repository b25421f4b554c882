import DocumentValues

/// Decides which of a connection's refused documents have a line of their own in the log, and counts the others.
struct RefusalLog: Sendable {
    private var count = 0

    /// The line for a document that could not be replicated; `nil` if there were too many before it.
    mutating func line(_ document: ReplicatedDocument, isPush: Bool) -> String? {
        guard let error = document.error else { return nil }
        count += 1
        guard count <= ReplicationLimits.loggedRefusals else { return nil }
        let id = document.id.shortened(toScalars: ReplicationLimits.loggedID).withControlsEscaped
        let subject = "'\(id)' in \(document.scope).\(document.collection)"
        let number = (error as? ReplicationError).map { " (\($0.code))" } ?? ""
        return "\(isPush ? "Not pushed" : "Not pulled"): \(subject): \(error)\(number)"
    }

    /// At the end of the connection: how many more there were.
    var summary: String? {
        let others = count - ReplicationLimits.loggedRefusals
        return others > 0 ? "\(others) more documents could not be replicated" : nil
    }
}
