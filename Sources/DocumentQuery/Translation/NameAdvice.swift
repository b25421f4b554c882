import DocumentValues

/// A name of a query or of the database in an error.
enum AdvisedName {
    /// Safe to print, and cut.
    static func shown(_ name: String) -> String { name.printableLine.shortened(toScalars: QueryLimits.shownToken) }

    /// `'a', 'b' and 'c'`, and how many others there are.
    static func listed(_ names: [String]) -> String {
        let shown = names.prefix(QueryLimits.listedNames).map { "'\(Self.shown($0))'" }
        let others = names.count - shown.count
        return (others > 0 ? shown + ["\(others) more"] : shown).listed(by: "and")
    }
}

/// Which collection was meant by a name that none has.
struct CollectionAdvice {
    private let written: String
    private let names: [CollectionName]

    init(_ written: String, among names: [CollectionName]) {
        self.written = written
        self.names = names
    }

    /// `nil` if there is no collection at all.
    var text: String? {
        guard !names.isEmpty else { return nil }
        let near = near
        guard near.isEmpty else { return "Did you mean \(near.map { "'\(AdvisedName.shown($0))'" }.listed(by: "or"))?" }
        return "There \(names.count == 1 ? "is" : "are") \(AdvisedName.listed(names.map(Self.inQueries)))."
    }

    /// By its name in another scope, by its whole name, or else by a similar name in another scope.
    private var near: [String] {
        let same = names.filter { Name($0.name) == Name(written) }
        guard same.isEmpty else { return same.prefix(QueryLimits.proposedNames).map(Self.inQueries) }
        let whole = NearName.near(written, among: names.map(Self.inQueries), count: QueryLimits.proposedNames)
        guard whole.isEmpty else { return whole }
        let last = NearName.near(written, among: names.map(\.name), count: QueryLimits.proposedNames)
        return names.filter { last.contains($0.name) }.prefix(QueryLimits.proposedNames).map(Self.inQueries)
    }

    /// As a query calls it: in the default scope by its name alone.
    private static func inQueries(_ name: CollectionName) -> String {
        if name == .default { return "_" }
        return name.scope == CollectionName.default.scope ? name.name : name.description
    }
}

/// The errors of names that are no alias of a source.
extension TranslationScope {
    /// - Parameter sources: those that the path may begin with.
    func undeclared(_ path: QueryPath, among sources: ArraySlice<TranslatedSource>) -> QueryError {
        let first = path.firstKey ?? ""
        let example: (String) -> String = { "\($0).\(AdvisedName.shown(path.plainText))" }
        let advice =
            aliases[Name(first)] == nil
            ? Self.advice(on: first, example: path.steps.count == 1 ? example : nil, sources)
            : "'\(AdvisedName.shown(first))' is the alias of a column, which cannot be used here: write its expression."
        return QueryError(
            "property '\(path.plainText)' does not begin with a declared 'AS' alias", advice: advice)
    }

    func undeclaredMeta(_ key: String) -> QueryError {
        QueryError(
            "property '\(key)' does not begin with a declared 'AS' alias",
            advice: Self.advice(on: nil, example: { "META(\($0)).\(AdvisedName.shown(key))" }, sources[...]))
    }

    func undeclaredSource(_ alias: String) -> QueryError {
        let ownAliases = sources.filter(\.hasOwnAlias)
        guard !ownAliases.isEmpty else {
            return QueryError(
                "database alias '\(alias)' does not match a declared 'AS' alias",
                advice: "Write META() alone, or give the source an alias by AS.")
        }
        return QueryError(
            "database alias '\(alias)' does not match a declared 'AS' alias",
            advice: Self.advice(on: alias, example: { "META(\($0))" }, ownAliases[...]))
    }

    static func unknownMeta(_ key: String) -> QueryError {
        let keys = ["id", "revisionID", "sequence", "deleted", "expiration"]
        return QueryError(
            "'\(key)' is not a valid Meta key",
            advice: NearName.hint(key, among: keys) ?? "META() has \(keys.listed(by: "and")).")
    }

    /// The aliases that there are, and the one that was meant if it is near.
    ///
    /// - Parameter example: the name behind an alias; `nil` where it is not known which part is the name.
    private static func advice(
        on name: String?, example: ((String) -> String)?, _ sources: ArraySlice<TranslatedSource>
    ) -> String? {
        let aliases = sources.map(\.alias)
        guard let first = aliases.first else { return nil }
        let list = "\(aliases.count == 1 ? "The source is" : "The sources are") \(AdvisedName.listed(aliases))"
        // A letter is near all others.
        if let name, name.utf8.count > 1, let near = NearName.nearest(name, among: aliases) {
            return "\(list). Did you mean '\(AdvisedName.shown(near))'?"
        }
        let action = example.map { "write \($0(AdvisedName.shown(first)))" } ?? "begin the path with an alias"
        return "\(list): \(action)."
    }
}
