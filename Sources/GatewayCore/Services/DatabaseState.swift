/// Whether a database serves clients; the texts are those of REST.
package enum DatabaseState: String, Sendable {
    case online = "Online"
    case offline = "Offline"
    /// Only the resync uses it.
    case resyncing = "Resyncing"
}
