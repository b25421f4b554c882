/// The actions for records in the outbox, as they are typed.
enum OutboxVerb: String, CaseIterable {
    case show
    case retry
    case keep
    case discard
    case list
}

/// The actions for records in quarantine.
enum QuarantineVerb: String, CaseIterable {
    case show
    case restore
    case discard
    case list
}

/// The actions for forms.
enum FormVerb: String, CaseIterable {
    case importFile = "import"
    case check
    case show
    case list
    case export
    case evaluate
    case attempt = "try"
}

/// The actions for conflicts.
enum ConflictVerb: String, CaseIterable {
    case show
    case take
    case list
}

/// The decision about a record that one user deleted while another one changed it.
enum DeletionVerb: String, CaseIterable {
    case keep
    case delete

    /// Case does not matter.
    init?(typed text: String) { self.init(rawValue: text.lowercased()) }
}

/// Whose value of a conflict counts.
enum ConflictSide: String, CaseIterable {
    case mine
    case theirs
    case current
    case other

    /// Case does not matter.
    init?(typed text: String) { self.init(rawValue: text.lowercased()) }
}
