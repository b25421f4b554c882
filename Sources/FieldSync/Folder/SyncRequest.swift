/// What a person typed, or a program sent, asks the sync service for a sync now.
package struct SyncRequest: Codable, Sendable, Hashable {
    package let id: String
    /// Compare everything again.
    package var resets = false

    package init(id: String, resets: Bool = false) {
        self.id = id
        self.resets = resets
    }
}
