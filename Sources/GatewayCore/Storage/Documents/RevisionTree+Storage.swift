import DocumentValues

extension RevisionTree {
    /// Reads what a row has.
    init(stored text: String) throws(GatewayError) {
        guard let tree = RevisionTree(text: text) else {
            throw GatewayError.damaged("revision tree")
        }
        self = tree
    }
}

extension RevisionID {
    /// Reads what a row has.
    init(stored text: String) throws(GatewayError) {
        guard let revision = RevisionID(text) else { throw GatewayError.damaged("revision") }
        self = revision
    }
}
