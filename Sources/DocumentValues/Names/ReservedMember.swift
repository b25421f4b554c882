/// Members at the top of a document that belong to the protocol: a gateway takes them out of what it is sent, or refuses
/// them, and a client cuts them out of what it pulls. All others are the user's, whatever their names begin with.
///
/// `_attachments` is none of them: a client keeps there what has no place in the body.
package enum ReservedMember {
    private static let names: Set<Name> = Set(
        ["_id", "_rev", "_cv", "_deleted", "_revisions", "_removed", "_purged", "_exp", "_sync"].map { Name($0) })

    package static func isReserved(_ name: String) -> Bool {
        names.contains(Name(name)) || name.hasExactPrefix("_sync_")
    }
}
