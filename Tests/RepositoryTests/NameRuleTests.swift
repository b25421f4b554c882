import Testing

/// Names are bytes: Swift's `String` takes "é" in one code point for "é" in two, and the Kelvin sign for "K". So sets and
/// dictionaries of channels, principals, ids and members are keyed by `Name`, and names are compared by `isExactly`.
@Suite struct NameRuleTests {
    /// Where texts are keys that are no names. Constants in ASCII without `K`, `;` and a back quote look like nothing else.
    private static let exceptions: [String: String] = [
        "Sources/SQLiteStorage/TemporaryFolder.swift": "constants: variables of the environment",
        "Sources/GatewayCore/Tokens/TokenIssuer.swift": "constants: algorithms and members of the configuration",
        "Sources/GatewayCore/Tokens/TokenKey.swift": "constants: algorithms",
        "Sources/GatewayCore/Principals/PasswordCheckQueue.swift": "addresses of clients, as the system writes them",
        "Sources/GatewayServer/HTTP/SyncConnections.swift": "databases, whose names are ASCII in lower case",
        "Sources/GatewayServer/Routes/OperationRoutes.swift": "scopes, whose names are ASCII",
        "Sources/GatewayServer/Configuration/": "the operator's own file and environment, and keys of the log",
        "Sources/GatewayServer/HTTP/GatewayMetrics.swift": "databases and routes, whose names are ASCII",
        "Sources/GatewayServer/Routes/Route.swift": "constants: routes",
        "Sources/DocumentQuery/Functions/QueryFunctions": "constants: functions of the language",
        "Sources/DocumentQuery/Syntax/FunctionCatalog": "constants: functions of the language",
        "Sources/DocumentQuery/Text/QueryCursor.swift": "constants: keywords of the language",
        "Sources/DocumentQuery/Translation/FullTextTranslator.swift": "constants: what rows are called",
        "Sources/DocumentQuery/FullText/Stemming/EnglishStemmer.swift": "constants: words of ASCII",
        "Sources/DocumentStore/Query/Builder/BuiltExpression.swift": "the public API's dictionary of a value",
        "Sources/DocumentStore/Query/Builder/Expression.swift": "the public API's dictionary of a value",
        "Sources/DocumentStore/Query/Result.swift": "the public API's dictionary of a row",
        "Sources/DocumentStore/Database/Documents/":
            "the public API's dictionaries, which callers make and take; members are kept under Name",
        "Sources/DocumentStore/Database/Decoding/":
            "what a type asks for that is called an object: no dictionary is made",
        "Sources/DocumentStore/Database/Database+Blobs.swift": "the public API's dictionary of a blob",
        "Sources/DocumentStore/Blobs/BlobFolder.swift": "names of files, which are hexadecimal",
        "Sources/DocumentStore/Errors/": "constants: what an error names beside its message",
        "Sources/Replication/Replicator+Pending.swift": "the public API's set; pendingNames(collection:) is exact",
        "Sources/Replication/Replicator+Older.swift": "the public API's set",
        "Sources/Replication/Configuration/ReplicatorConfiguration.swift": "names of HTTP headers",
        "Sources/FormExchange/Markup/MarkupReader.swift": "the parser's own dictionaries of attributes",
        "Sources/FieldShell/Parsing/CommandParser.swift": "constants: options of commands",
        "Sources/FieldShell/Session/ShellEnvironment.swift": "variables of the environment",
        "Sources/FieldShell/Actions/Photos/PhotoViewer.swift": "variables of the environment",
        "Sources/FieldShell/Session/PhotoCopies.swift": "variables of the environment",
        "Sources/FieldShell/SyncService/": "variables of the environment",
        "Sources/FieldShell/Terminal/ExternalEditor.swift": "variables of the environment",
        "Sources/FieldShell/Terminal/SpareFolder.swift": "variables of the environment",
    ]

    /// The modules in which ids and names of people are `String`s, for those who import them.
    private static let laptop = [
        "Models/", "Sources/DocumentStore/", "Sources/Replication/", "Sources/FieldRecords/", "Sources/FieldSync/",
        "Sources/FieldShell/", "Sources/Fieldbook", "Sources/FieldbookCommand/",
    ]

    /// A file with the numbers of the lines that misuse names.
    private struct Checked: Sendable {
        let path: String
        let keyed: [Int]
        let compared: [Int]
        let decoded: [Int]
        let keepsLines: Bool

        init(_ file: SourceTree.File) {
            path = file.path
            let code = SwiftCode(file.text).lines
            keyed = NameRule.keyedLines(of: code)
            compared = NameRule.comparedLines(of: code)
            decoded = NameRule.decodedLines(of: code)
            keepsLines = code.count == 1 + file.text.utf8.count { $0 == UInt8(ascii: "\n") }
        }

        func isExcepted(_ exceptions: [String: String]) -> Bool { exceptions.keys.contains { path.hasPrefix($0) } }
    }

    private static let checked = Result {
        try ["Sources", "Models", "Migrations"].flatMap { try SourceTree.files(in: $0) }.map { Checked($0) }
    }

    @Test func namesAreNoKeysAsStrings() throws {
        let files = try Self.checked.get()
        for row in try ModuleRow.all() where !row.folder.hasPrefix("Benchmarks") {
            #expect(files.contains { $0.path.hasPrefix(row.folder + "/") }, "\(row.name) is not looked at")
        }
        for file in files where !file.isExcepted(Self.exceptions) {
            #expect(
                file.keyed.isEmpty,
                "\(file.path): use Name, or add the file with the reason why these are no names")
        }
    }

    @Test func namesAreComparedByTheirBytes() throws {
        for file in try Self.checked.get() where Self.laptop.contains(where: { file.path.hasPrefix($0) }) {
            #expect(file.compared.isEmpty, "\(file.path): compare names with isExactly")
        }
    }

    /// Where texts of records come from a gateway or a table: Swift's own comparison takes the square of their marks.
    @Test func casesAreFoundByTheirBytes() throws {
        for file in try Self.checked.get()
        where ["Models/", "Sources/FieldRecords/"].contains(where: { file.path.hasPrefix($0) }) {
            #expect(
                file.decoded.isEmpty, "\(file.path): decode texts with init(exactly:), and compare them with isExactly")
        }
    }

    /// An exception that is not needed any more goes, so that the lists stay true.
    @Test func everyExceptionIsNeeded() throws {
        let files = try Self.checked.get()
        for path in Self.exceptions.keys {
            #expect(files.contains { $0.path.hasPrefix(path) && !$0.keyed.isEmpty }, "\(path)")
            // An exception within another one has no effect.
            let wider = Self.exceptions.keys.first { $0 != path && path.hasPrefix($0) }
            #expect(wider == nil, "\(path) is within \(wider ?? "")")
        }
    }

    // MARK: - The rule itself

    @Test func everyLineStaysWhereItIs() throws {
        for file in try Self.checked.get() { #expect(file.keepsLines, "\(file.path)") }
    }

    @Test(arguments: [
        "var seen: Set<String> = []", "let a = Set<String>()", "var a: Swift.Set < Swift.String >",
        "func f() -> Set<Substring>",
        "let a: [String: Int]", "let a: [String : Int]", "var a = [String: [Int]]()", "let a: [ Substring: Int ]",
        "let a: Dictionary<String, Int>", "let a = Dictionary<Substring, [Int]>()",
        "let a: OrderedDictionary<String, Int>",
        "let a: OrderedSet<String>", #"let a: [String: Int] = ["a": 1] // names"#, #"let a = "//"; let b: Set<String>"#,
        "let ids = Set(records.map(\\.id))", "let ids = Set(changes.map(\\.documentID)).count",
        "Dictionary(grouping: findings, by: \\.inspection)", "Dictionary(grouping: all) { $0.site }",
        "Dictionary(uniqueKeysWithValues: rows.map { ($0.documentID, $0) })",
        "uniqueKeysWithValues: users.map { ($0.user, $0.role) })", "Dictionary(rows.map { ( $0.site, 1) }) { $1 }",
        "let known = Set(ids)", "Set(documentIDs).count",
        "/* a */ let a: Set<String>", "let a = #\"\"\"# ; let b: [String: Int]", "f(\"\\(g(\"x\"))\", [String: Int]())",
    ])
    func aKeyedTextIsFound(line: String) {
        #expect(NameRule.keyedLines(of: SwiftCode("\n\(line)\n").lines) == [2], "\(line)")
    }

    @Test(arguments: [
        "let a: Set<Name> = []", "let a: [Name: String]", "let a = [String](repeating: \"\", count: 3)",
        "let a: [String]",
        "// Set<String>", "/// A `[String: Int]`.", "/* [String: Int]\n Set<String> */", "let a = \"Set<String>\"",
        "let a = #\"[String: Int] \"# ", "let a = \"\"\"\n[String: Int]\n\"\"\"", "let a = \"\\(\"[String: Int]\")\"",
        "Dictionary(uniqueKeysWithValues: rows.map { (Name($0.documentID), $0) })", "rows.map { ($0.documentID, $0) }",
        "let a = Set(names.map { Name($0.id) })", "let a: KeyValuePairs<String, String?>",
    ])
    func whatIsNoKeyIsNot(text: String) { #expect(NameRule.keyedLines(of: SwiftCode(text).lines).isEmpty, "\(text)") }

    @Test(arguments: [
        "first { $0.documentID == id }", "if finding.inspection == record.id {", "guard $0.site != site else",
        "filter { id == $0.documentID }", "if a.inspector! == user", "sorted { $0.documentID < $1.documentID }",
        "inspection.inspector ?? inspection.envelope.createdBy == user", "ids.contains(change.documentID)",
    ])
    func aComparisonIsFound(line: String) {
        #expect(NameRule.comparedLines(of: SwiftCode(line).lines) == [1], "\(line)")
    }

    @Test(arguments: [
        "text.flatMap(Status.init(rawValue:))", "if let risk = Risk(rawValue: text.lowercased()) {",
        "first { $0.rawValue.lowercased() == text.lowercased() }", "text == name.lowercased()",
        "field.lowercased() != text",
    ])
    func aDecodedTextIsFound(line: String) {
        #expect(NameRule.decodedLines(of: SwiftCode(line).lines) == [1], "\(line)")
    }

    @Test(arguments: [
        "text.flatMap { Status(exactly: $0) }", "writer.set(\"visit\", to: visit?.rawValue)",
        "first { $0.rawValue.lowercased().isExactly(text) }", "let text = name.lowercased()", "// Risk(rawValue: text)",
    ])
    func whatDecodesByBytesIsNot(line: String) {
        #expect(NameRule.decodedLines(of: SwiftCode(line).lines).isEmpty, "\(line)")
    }

    @Test(arguments: [
        "guard kind == .inspection else", "if finding.inspection == nil", "$0.documentID.isExactly(id)",
        "Name($0.documentID) == Name(id)", "ids.contains(Name(change.documentID))", "// $0.documentID == id",
        "lines(conflict.kind == .site)", "if kinds.contains(.site) {",
    ])
    func whatComparesNoNameIsNot(line: String) {
        #expect(NameRule.comparedLines(of: SwiftCode(line).lines).isEmpty, "\(line)")
    }
}

/// How names are misused, as far as that can be seen in a line.
private enum NameRule {
    /// Sets and dictionaries of texts; also those with an inferred key, if a member's name shows its type.
    static func keyedLines(of code: [String]) -> [Int] {
        lines(
            of: code,
            with: [
                "Set<", "Set <", "Set(", "[String", "[ String", "[Sub", "[ Sub", "[Swift", "Dictionary",
                "uniqueKeysWithValues",
            ]
        ) { line in
            line.contains(/Set\s*<\s*(?:Swift\s*\.\s*)?(?:String|Substring)\s*>/)
                || line.contains(/\[\s*(?:Swift\s*\.\s*)?(?:String|Substring)\s*:/)
                || line.contains(/Dictionary\s*<\s*(?:Swift\s*\.\s*)?(?:String|Substring)\s*,/)
                || line.contains(
                    /Set\([^()]*\.map\(\\\.(?:id|documentID|inspection|site|inspector|user)\)\)/)
                || line.contains(
                    /grouping:[^)]*by:\s*\\\.(?:id|documentID|inspection|site|inspector|user)\b/)
                || line.contains(
                    /grouping:[^)]*\)\s*\{\s*\$0\.(?:id|documentID|inspection|site|inspector|user)\s*\}/)
                || infersKey(line)
        }
    }

    private static func infersKey(_ line: String) -> Bool {
        line.contains(/\bSet\((?:ids|documentIDs|users|usernames)\)/)
            || line.contains(
                /(?:Dictionary\(|KeysWithValues:).*\{\s*\(\s*\$0\.(?:documentID|inspection|site|inspector|user)\s*,/)
    }

    private static let members = ["documentID", "inspection", "site", "inspector", "createdBy", "changedBy"]

    /// Operators between members that are ids or users.
    static func comparedLines(of code: [String]) -> [Int] {
        lines(of: code, with: members.map { ".\($0)" }) { line in
            line.contains(
                /[\w)\]?!]\.(?:documentID|inspection|site|inspector|createdBy|changedBy)[!?]?\s*(?:==|!=|<)(?!\s*nil\b)/
            )
                || line.contains(
                    /(?:==|!=|<)\s+[\w$.]*[\w$]\.(?:documentID|inspection|site|inspector|createdBy|changedBy)\b(?!\s*[.(])/
                )
                || line.contains(
                    /contains\([\w.$]*[\w$]\.(?:documentID|inspection|site|inspector|createdBy|changedBy)\)/
                )
        }
    }

    /// Enumerations made of texts, and texts whose case does not count, by Swift's own comparison.
    static func decodedLines(of code: [String]) -> [Int] {
        lines(of: code, with: ["rawValue:", "lowercased()"]) { line in
            line.contains("rawValue:") || line.contains(/lowercased\(\)\s*[=!]=|[=!]=\s*[\w$.]*\.lowercased\(\)/)
        }
    }

    private static func lines(
        of code: [String], with parts: [String], where isMisuse: (String) -> Bool
    ) -> [Int] {
        code.enumerated().filter { _, line in
            line.holds(anyOf: parts) && isMisuse(line)
        }.map { $0.offset + 1 }
    }
}
