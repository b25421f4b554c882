/// What may be done with what is in the outbox, as it is typed.
enum OutboxWord: String, CaseIterable {
    case show
    case retry
    case keep
    case discard
    case list
}

/// What may be done with what was kept aside.
enum QuarantineWord: String, CaseIterable {
    case show
    case restore
    case discard
    case list
}

/// What may be done with conflicts.
enum ConflictWord: String, CaseIterable {
    case show
    case take
    case list
}
