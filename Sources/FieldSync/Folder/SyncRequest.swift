/// What a person typed, or a program sent, asks the sync service for a sync now.
struct SyncRequest: Codable, Sendable, Hashable {
    let id: String
    /// Compare everything again.
    var resets = false

    init(id: String, resets: Bool = false) {
        self.id = id
        self.resets = resets
    }
}
