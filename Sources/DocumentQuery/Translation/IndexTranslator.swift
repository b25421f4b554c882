import DocumentValues

/// The SQL of an index of values.
package struct TranslatedValueIndex: Sendable, Hashable {
    package let expressions: [String]
    package let condition: String?
}

/// The SQL of an index of the elements of arrays.
package struct TranslatedArrayIndex: Sendable, Hashable {
    /// The paths of the arrays: the first in the document, each other one in an element of the one before.
    package let paths: [QueryPath]
    /// Of the element, which is `e.value`.
    package let expressions: [String]

    static let element = "e"

    /// The tables that have the elements of a row's document.
    ///
    /// - Parameter row: the name of the row, such as `new`.
    package func elements(_ row: String) -> String {
        var tables: [String] = []
        for (index, path) in paths.enumerated() {
            let name = index == paths.count - 1 ? Self.element : "e\(index)"
            let arguments =
                index == 0
                ? "\(row).body, \(SQLText.quoted(path.text))"
                : "fb_nested(e\(index - 1).value, \(SQLText.quoted(path.text))), NULL"
            tables.append("fb_each(\(arguments)) AS \(name)")
        }
        return tables.joined(separator: " JOIN ")
    }
}

/// Makes SQL of the definition of an index.
package enum IndexTranslator {
    /// Refuses expressions and a condition that fail for every document, or that may have other values in another
    /// process: that process would not find the rows. Only for a new index: an older one is translated as it is.
    package static func refuseUnfit(_ expressions: String, condition: String?) throws {
        let (columns, condition) = try QueryParser.index(expressions, condition: condition)
        for expression in columns + [condition].compactMap({ $0 }) {
            try expression.checkPatterns()
            guard let function = expression.functionOfZone else { continue }
            throw QueryError("\(function) depends on the time zone of the process: no index can be of it")
        }
    }

    /// - Parameter expressions: `a, LOWER(b.c)`.
    package static func valueIndex(
        _ expressions: String, condition: String?, collection: CollectionName
    ) throws -> TranslatedValueIndex {
        let (columns, condition) = try QueryParser.index(expressions, condition: condition)
        guard columns.count <= QueryLimits.columns else {
            throw QueryError("An index of more than \(QueryLimits.columns) expressions")
        }
        var translator = StatementTranslator(forIndexOf: collection.name)
        let sql = try columns.map { try translator.sqlOfIndex($0) }
        let conditionSQL = try condition.map { try translator.sqlOfIndexCondition($0) }
        return TranslatedValueIndex(expressions: sql, condition: conditionSQL)
    }

    /// - Parameters:
    ///   - path: `nested.list[].items`
    ///   - expressions: of an element; the element itself if there are none.
    package static func arrayIndex(path: String, expressions: String?) throws -> TranslatedArrayIndex {
        let paths = try components(of: path)
        guard let expressions else {
            return TranslatedArrayIndex(paths: paths, expressions: ["\(TranslatedArrayIndex.element).value"])
        }
        let (columns, _) = try QueryParser.index(expressions, condition: nil)
        var translator = StatementTranslator(forElements: TranslatedArrayIndex.element)
        return TranslatedArrayIndex(paths: paths, expressions: try columns.map { try translator.sqlOfIndex($0) })
    }

    private static func components(of path: String) throws -> [QueryPath] {
        var rest = path[...]
        var parts: [String] = []
        while let mark = rest.range(of: "[].") {
            parts.append(String(rest[..<mark.lowerBound]))
            rest = rest[mark.upperBound...]
        }
        guard parts.count < QueryLimits.arrays else {
            throw QueryError("An index of more than \(QueryLimits.arrays) arrays inside each other")
        }
        return try (parts + [String(rest)]).map { part throws in
            let expression: QueryExpression
            do throws(QueryError) { expression = try QueryParser.expression(part) } catch {
                throw error.inPath(part)
            }
            guard case .property(let path) = expression else {
                throw QueryError(
                    "the use of a general expression as the object of UNNEST is not supported; "
                        + "only a property path is allowed.")
            }
            return path
        }
    }
}

extension QueryError {
    fileprivate func inPath(_ path: String) -> QueryError {
        guard let position else { return self }
        return QueryError(
            "Invalid N1QL in unnestPath (N1QL syntax error in unnestPath \"\(path)\" near character \(position + 1))",
            advice: advice)
    }
}

extension QueryExpression {
    /// Throws for an invalid regular expression.
    fileprivate func checkPatterns() throws {
        var patterns: [String] = []
        _ = contains { part in
            guard case .call(let name, let arguments) = part, name.hasPrefix("REGEXP_"), arguments.count > 1,
                case .literal(.string(let pattern)) = arguments[1]
            else { return false }
            patterns.append(pattern)
            return false
        }
        do { for pattern in patterns { _ = try BytePattern(pattern) } } catch let error as FunctionError {
            throw QueryError(error.message)
        }
    }

    /// The name of a function in it that reads the zone of the process.
    fileprivate var functionOfZone: String? {
        var found: String?
        _ = contains { part in
            guard case .call(let name, _) = part, FunctionCatalog.dependsOnZone(name) else { return false }
            found = name
            return true
        }
        return found
    }
}

extension Substring {
    /// Foundation's, which this module does without.
    fileprivate func range(of mark: String) -> Range<Index>? {
        let (bytes, wanted) = (utf8, Array(mark.utf8))
        var start = bytes.startIndex
        while start != bytes.endIndex {
            if bytes[start...].starts(with: wanted) {
                return start..<bytes.index(start, offsetBy: wanted.count)
            }
            bytes.formIndex(after: &start)
        }
        return nil
    }
}
