import DocumentQuery

extension SelectStatement {
    /// The sources of the query and its clauses, without values and expressions: `field.sites, UNNEST: 2 columns, WHERE,
    /// ORDER BY`.
    var shape: String {
        var clauses = ["\(columns.count) column\(columns.count == 1 ? "" : "s")"]
        if isDistinct { clauses.append("DISTINCT") }
        if condition != nil { clauses.append("WHERE") }
        if !grouping.isEmpty { clauses.append("GROUP BY") }
        if groupCondition != nil { clauses.append("HAVING") }
        if !order.isEmpty { clauses.append("ORDER BY") }
        if limit != nil { clauses.append("LIMIT") }
        if offset != nil { clauses.append("OFFSET") }
        return "\(sources.map(\.shape).joined(separator: ", ")): \(clauses.joined(separator: ", "))"
    }
}

extension QuerySource {
    fileprivate var shape: String {
        switch content {
        case .collection(let parts): parts.joined(separator: ".")
        case .elements: joining.rawValue
        }
    }
}
