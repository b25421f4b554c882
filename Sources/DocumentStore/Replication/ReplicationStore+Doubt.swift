import DocumentValues

extension ReplicationStore {
    /// The remote was restored from a backup or made again: what it is believed to have of the documents after a sequence
    /// may be gone there. They are local changes until it says what it has, so nothing that comes from it replaces them
    /// without a conflict. Those that it has refused are changes, too: they go up again.
    ///
    /// - Returns: how many documents that are.
    @discardableResult
    package func doubtKnown(in collection: CollectionName, after sequence: UInt64) throws -> Int {
        try core.write(.normal) { transaction in
            let table = try transaction.table(collection)
            for id in try table.refused(by: remoteID, through: sequence) { try table.touch(id) }
            let documents = try table.known(to: remoteID, after: sequence)
            for document in documents {
                var remotes = document.remotes
                remotes.doubt(remoteID)
                try table.setRemotes(remotes, at: document.sequence)
            }
            return documents.count
        }
    }
}
