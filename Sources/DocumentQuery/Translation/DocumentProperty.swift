/// An expression that is a property of a source's documents, not of an element, a column or `META()`.
struct DocumentProperty {
    let expression: QueryExpression
    /// Where it has this meaning.
    let clause: ClauseState
    /// The document in SQL.
    let document: String
    /// The path in the document.
    let path: QueryPath
}

extension StatementTranslator {
    /// `nil` also for a whole document.
    func documentProperty(_ expression: QueryExpression, in clause: ClauseState) -> DocumentProperty? {
        guard case .property(let path) = expression, let found = document(of: path, in: clause),
            !found.path.steps.isEmpty
        else { return nil }
        return DocumentProperty(expression: expression, clause: clause, document: found.document, path: found.path)
    }

    /// The property that the rows are sorted by. An alias alone means its column, in which aliases mean nothing; any other
    /// term may begin with an alias.
    func documentProperty(of term: OrderTerm) -> DocumentProperty? {
        let clause = ClauseState.order(isGrouped: false)
        if let column = meaning(of: term.expression, in: clause) { return documentProperty(column, in: .columns) }
        return documentProperty(term.expression, in: clause)
    }
}
