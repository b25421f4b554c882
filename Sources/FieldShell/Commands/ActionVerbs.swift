/// What may be done with what is in the outbox, as it is typed.
enum OutboxVerb: String, CaseIterable {
    case show
    case retry
    case keep
    case discard
    case list
}

/// What may be done with what is in quarantine.
enum QuarantineVerb: String, CaseIterable {
    case show
    case restore
    case discard
    case list
}

/// What may be done with conflicts.
enum ConflictVerb: String, CaseIterable {
    case show
    case take
    case list
}
