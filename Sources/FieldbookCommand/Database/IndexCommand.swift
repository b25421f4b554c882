import ArgumentParser
import DocumentValues
import Fieldbook
import FieldShell

/// `fieldbook db index`
struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Makes, lists and removes the indexes of a collection.",
        subcommands: [CreateIndexCommand.self, ListIndexesCommand.self, RemoveIndexCommand.self])
}

/// The collection that the commands are about.
struct IndexedCollection: ParsableArguments {
    @OptionGroup var folder: DatabaseOptions

    @Argument(help: "scope.collection")
    var collection: CollectionName

    func use<Value>(_ body: (Fieldbook.Collection) throws -> Value) throws -> Value {
        try folder.use { try body($0.existingCollection(collection)) }
    }
}

/// `fieldbook db index create`
struct CreateIndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes an index, or replaces the one of that name.")

    @OptionGroup var source: IndexedCollection

    @Argument(help: "The index's name.")
    var name: String

    @Option(
        help: ArgumentHelp("Expressions whose values are compared, sorted or grouped by.", valueName: "expressions"))
    var value: String?

    @Option(help: ArgumentHelp("Properties whose text is searched.", valueName: "properties"))
    var fts: String?

    @Option(
        help: ArgumentHelp(
            "An array whose elements are looked for; the expressions of an element follow as an argument of their own.",
            valueName: "path"))
    var array: String?

    @Argument(help: "With --array: expressions of an element.")
    var expressions: String?

    @Option(help: ArgumentHelp("Only of documents that meet this condition.", valueName: "expression"))
    var `where`: String?

    @Option(help: "With --fts: the language, whose inflections are found, too; such as en.")
    var language: String?

    @Flag(help: "With --fts: a search for e also finds é.")
    var ignoreAccents = false

    func validate() throws {
        guard [value, fts, array].compactMap({ $0 }).count == 1 else {
            throw ValidationError("Give one of --value, --fts and --array.")
        }
        if fts == nil, language != nil || ignoreAccents {
            throw ValidationError("--language and --ignore-accents go with --fts.")
        }
        if array == nil, expressions != nil { throw ValidationError("Expressions of an element go with --array.") }
        if array != nil, `where` != nil { throw ValidationError("--where does not go with --array.") }
    }

    func run() throws { try source.use { try $0.createIndex(withName: name, config: configuration) } }

    private var configuration: any IndexConfiguration {
        if let value { return ValueIndexConfiguration([value], where: `where`) }
        if let array { return ArrayIndexConfiguration(path: array, expressions: expressions.map { [$0] }) }
        return FullTextIndexConfiguration(
            [fts ?? ""], where: `where`, ignoreAccents: ignoreAccents, language: language)
    }
}

/// `fieldbook db index list`
struct ListIndexesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the indexes of a collection.")

    @OptionGroup var source: IndexedCollection

    @Flag(help: "One object a line: what the index is of.")
    var json = false

    func run() throws {
        for (name, definition) in try source.use({ try $0.indexDefinitions() }) {
            let object = JSONObject(
                members: [JSONObject.Member(key: "name", value: .string(name))] + definition.members)
            StandardOutput.line(json ? object.description.printableJSON : name.printableLine)
        }
    }
}

/// `fieldbook db index rm`
struct RemoveIndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Removes an index; where there is none of that name nothing happens.")

    @OptionGroup var source: IndexedCollection

    @Argument(help: "The index's name.")
    var name: String

    func run() throws { try source.use { try $0.deleteIndex(forName: name) } }
}
