import DocumentValues
import GRDB
import SyncProtocol

/// The file of a database that no gateway has opened: one that is being restored, or that was moved aside.
package struct RestoredFile {
    private let path: String

    package init(path: String) { self.path = path }

    /// The file of a database in its folder.
    package init(folder: String) { path = "\(folder)/\(DatabaseParts.fileName)" }

    /// Says in each client's checkpoint that the database went back to an earlier moment. The numbers in it need not say
    /// so: of what a client exchanged without saving a checkpoint they know nothing.
    func markCheckpoints() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            let query = try RawStatement(
                "SELECT collection, id, body FROM local_documents WHERE id >= 'checkpoint/' AND id < 'checkpoint0'", db)
            var marked: [(collection: Int64, id: String, body: [UInt8])] = []
            try query.forEachRow { row in
                // What is no JSON object is no checkpoint: whoever reads it finds none.
                guard var body = try? JSONObject(parsing: row.bytes(2)) else { return }
                body[Checkpoint.restoredMember] = true
                marked.append((row.int64(0), row.string(1), body.bytes))
            }
            let update = try RawStatement(
                "UPDATE local_documents SET body = ?3 WHERE collection = ?1 AND id = ?2", db)
            for checkpoint in marked {
                update.bind(1, checkpoint.collection)
                update.bind(2, checkpoint.id)
                update.bind(3, checkpoint.body)
                try update.run()
            }
        }
        try queue.close()
    }

    /// The names of the users in it, in order.
    package func users() throws -> [Name] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let names = try queue.read { try StoredPrincipal.names(roles: false, includingDeleted: false, $0) }
        try queue.close()
        return names
    }
}
