/// A request to the sync service for a sync now, from a command or a program.
struct SyncRequest: Codable, Sendable, Hashable {
    let id: String
    /// Compare everything again.
    var resets = false

    init(id: String, resets: Bool = false) {
        self.id = id
        self.resets = resets
    }
}
