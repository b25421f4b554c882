@testable import SyncProtocol

extension ModelClient {
    /// A client with these documents in its only collection, each edited once.
    static func editing(_ ids: String...) -> ModelClient {
        var client = ModelClient(collections: 1)
        for id in ids { client.edit(id, in: 0, body: #"{"id":"\#(id)"}"#) }
        return client
    }
}
