/// Members at the top of a document that belong to the protocol: a gateway removes or refuses them when it receives a
/// document, and a client removes them from pulled ones. All others are the user's, whatever their names begin with.
///
/// `_attachments` is none of them: a client keeps attachments there that are not blobs in the body.
package enum ReservedMember {
    private static let names: Set<Name> = Set(
        ["_id", "_rev", "_cv", "_deleted", "_revisions", "_removed", "_purged", "_exp", "_sync"].map { Name($0) })

    package static func isReserved(_ name: String) -> Bool {
        names.contains(Name(name)) || name.hasExactPrefix("_sync_")
    }
}
