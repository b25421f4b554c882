/// Whether a database serves anybody; the texts are those of REST.
package enum DatabaseState: String, Sendable {
    case online = "Online"
    case offline = "Offline"
    /// Nobody but the resync uses it.
    case resyncing = "Resyncing"
}
