import Foundation
import Testing

/// Rules that a reviewer would otherwise have to repeat.
@Suite struct HouseRuleTests {
    private static let pureModules = [
        "BLIPProtocol", "SyncProtocol", "AccessControl", "DocumentValues", "DocumentQuery",
    ]
    private static let sourceFolders = ["Sources", "Models", "Migrations"]

    /// A worker that may not confine itself is ended by the system, and with it every sync function.
    @Test func theGatewaysUnitAllowsWhatItsWorkersCall() throws {
        let header = try SourceTree.text(of: "Sources/CDuktape/sandbox.h")
        try #require(header.contains("SYS_seccomp"))
        let unit = try SourceTree.text(of: "systemd/fieldbook-gateway.service")
        let calls = unit.split(separator: "\n").filter { $0.hasPrefix("SystemCallFilter=") }
        #expect(calls.joined(separator: " ").contains("seccomp"))
        #expect(unit.contains("SystemCallErrorNumber=EPERM"))
    }

    /// One damaged database must not keep the gateway from starting, and a fault that stays is not tried for ever.
    @Test func theGatewaysUnitStartsAndGivesUp() throws {
        let unit = try SourceTree.text(of: "systemd/fieldbook-gateway.service")
        let lines = unit.split(separator: "\n")
        #expect(!lines.contains { $0.hasPrefix("ExecStartPre=") })
        #expect(lines.contains { $0.hasPrefix("StartLimitBurst=") })
        let backup = try SourceTree.text(of: "systemd/fieldbook-gateway-backup.service")
        let folder = lines.first { $0.hasPrefix("ExecStart=") }?.split(separator: " ").last
        #expect(backup.contains("--config \(try #require(folder))"))
        // A disk that backups have filled has no room for the one behind which older ones would go.
        let steps = backup.split(separator: "\n").filter { $0.hasPrefix("ExecStart") }
        #expect(steps.last?.hasPrefix("ExecStart=") == true && steps.contains { $0.contains("-mtime +6 -exec rm -r") })
        #expect(try SourceTree.text(of: "systemd/fieldbook-gateway-backup.timer").contains("Persistent=true"))
    }

    /// What the manual copies out of an installed archive has to be in it: a unit that is missing is no service.
    @Test func theManualNamesWhatTheArchiveHas() throws {
        let makefile = try SourceTree.text(of: "Makefile")
        #expect(makefile.contains("\ndist: install\n") && makefile.contains("cp systemd/fieldbook-gateway* "))
        let manual = try SourceTree.text(of: "docs/gateway.md")
        for unit in ["fieldbook-gateway.service", "fieldbook-gateway-backup.{service,timer}"] {
            #expect(manual.contains("sudo cp /usr/local/lib/fieldbook-gateway/\(unit) /etc/systemd/system/"))
        }
        let service = try SourceTree.text(of: "systemd/fieldbook-gateway.service")
        let link = "sudo ln --symbolic --force /usr/local/lib/fieldbook-gateway/fieldbook-gateway /usr/local/bin/"
        #expect(service.contains("ExecStart=/usr/local/bin/fieldbook-gateway ") && manual.contains(link))
    }

    @Test(arguments: pureModules)
    func protocolAndPolicyCodeIsPure(module: String) throws {
        let forbidden = [
            "async ", "await ", "Task {", "Task.", "ContinuousClock", "Date()", "Mutex<", "NIOLock", "FileManager",
        ]
        for file in try SourceTree.files(in: "Sources/\(module)") {
            #expect(!file.imports.contains("Foundation"), "\(file.path) imports Foundation")
            let code = SwiftCode(file.text).lines
            for word in forbidden {
                let line = code.firstIndex { $0.contains(word) }
                #expect(line == nil, "\(file.path):\((line ?? 0) + 1) uses \(word)")
            }
        }
    }

    /// A closure by itself in a `Mutex` is wrapped once more by each look at it, until calling or releasing
    /// it overflows the stack. In a structure it is not.
    @Test func noMutexHoldsABareClosure() throws {
        for file in try Self.sourceFolders.flatMap({ try SourceTree.files(in: $0) }) {
            for (index, code) in SwiftCode(file.text).lines.enumerated() where code.holds(anyOf: ["Mutex"]) {
                let isBare = code.contains(/Mutex<\(*@(?:Sendable|escaping)/)
                #expect(!isBare, "\(file.path):\(index + 1) keeps a closure in a Mutex without a structure")
            }
        }
    }

    /// Each look for a name in a `JSONObject` passes all members: a loop takes the square of their number.
    @Test func membersAreNotSetOneAfterTheOther() throws {
        // `JSONObject` itself does so with a few.
        for file in try Self.sourceFolders.flatMap({ try SourceTree.files(in: $0) })
        where file.path != "Sources/DocumentValues/JSON/JSONObject.swift" {
            let lines = SwiftCode(file.text).lines
            for (index, code) in lines.enumerated() where code.holds(anyOf: [".key] = "]) {
                let sets = Self.setsMembers(code, under: lines[max(0, index - 1)])
                #expect(!sets, "\(file.path):\(index + 1): use setting(_:)")
            }
        }
    }

    @Test(arguments: [
        ("for member in document.body.members { object[member.key] = member.value }", true),
        ("for scope in scopes { all[scope.key] = scope.value }", true), ("all[scope.key] = scope.value", false),
        ("for member in members where isKept(member) {\n    object[member.key] = member.value", true),
        ("for scope in scopes {\n    all[other.key] = other.value", false),
    ])
    func aLoopOfMembersIsFound(text: String, isFound: Bool) {
        let lines = text.split(separator: "\n").map { String($0) }
        #expect(Self.setsMembers(lines[lines.count - 1], under: lines[0]) == isFound)
    }

    /// - Parameter line: the one above, where a loop may begin.
    private static func setsMembers(_ code: String, under line: String) -> Bool {
        "\(line) \(code)".contains(/for (\w+) in .*\{ +\w+\[\1\.key\] = \1\.value\b/)
    }

    /// Where plain calls meet asynchronous ones, each with a task that has an owner and an end.
    private static let bridges = ["Sources/Replication/Session/ConnectionAttempt.swift"]

    @Test func libraryCodeStartsNoUnstructuredTask() throws {
        for file in try Self.sourceFolders.flatMap({ try SourceTree.files(in: $0) })
        where !Self.bridges.contains(file.path) {
            for (index, code) in SwiftCode(file.text).lines.enumerated() {
                // `addTask` and `scheduleTask` belong to something that waits for them.
                let starts =
                    code.holds(anyOf: ["Task"]) && code.contains(/(?:^|[^A-Za-z])Task(?:\s*\{|\.detached|\()/)
                #expect(!starts, "\(file.path):\(index + 1) starts an unstructured Task")
            }
        }
    }

    /// Version vectors will change the answers of `RevisionID` and `RevisionTree`, and none of their callers.
    @Test func partsOfRevisionIDsAreReadInOneFolder() throws {
        let parts = [".treeRevision", "case .tree("]
        let files = try Self.sourceFolders.flatMap { try SourceTree.files(in: $0) }
        let readers = files.filter { SwiftCode($0.text).lines.contains { $0.holds(anyOf: parts) } }
        let folder = "Sources/DocumentValues/Revisions/"
        #expect(!readers.isEmpty && readers.allSatisfy { $0.path.hasPrefix(folder) }, "\(readers.map(\.path))")
    }

    /// docs/glossary.md says what they are called instead.
    private static let foreignTerms = [
        "told", "tell", "wish", "wished", "patience", "patiently", "anew", "whoever", "standing", "stand", "aside",
        "place",
        "words",
    ]
    /// Plain English of which one of these is a part.
    private static let plainPairs = [["in", "place"], ["put", "aside"]]

    @Test func namesAreThoseOfTheGlossary() throws {
        let texts = Self.foreignTerms + Self.foreignTerms.map(\.capitalized)
        for file in try (Self.sourceFolders + ["Tests", "Benchmarks"]).flatMap({ try SourceTree.files(in: $0) }) {
            for name in file.path.matches(of: /[A-Za-z_][A-Za-z0-9_]*/) {
                let foreign = Self.foreignWord(in: name.output)
                #expect(foreign == nil, "\(file.path) has '\(foreign ?? "")'; see docs/glossary.md")
            }
            for (index, code) in SwiftCode(file.text).lines.enumerated() where code.holds(anyOf: texts) {
                for name in code.matches(of: /[A-Za-z_][A-Za-z0-9_]*/) {
                    let foreign = Self.foreignWord(in: name.output)
                    #expect(
                        foreign == nil,
                        "\(file.path):\(index + 1): '\(name.output)' has '\(foreign ?? "")'; see docs/glossary.md")
                }
            }
        }
    }

    @Test(arguments: [
        ("hasToldThem", "told"), ("hasPatience", "patience"), ("place", "place"), ("lostPlaces", "places"),
        ("words", "words"),
        ("ownWords", "words"),
        ("keepAside", "aside"), ("KeptAsideList", "aside"), ("whatStandsThere", "stands"), ("wishes", "wishes"),
    ])
    func aForeignWordIsFound(name: String, word: String) { #expect(Self.foreignWord(in: name[...]) == word) }

    @Test(arguments: [
        "replaced", "readInPlace", "putAside", "passwords", "outstanding", "understandsBlobs", "oldest",
    ])
    func whatOnlyHasItsLettersIsNot(name: String) { #expect(Self.foreignWord(in: name[...]) == nil) }

    private static func foreignWord(in name: Substring) -> String? {
        let parts = parts(of: name)
        for (index, part) in parts.enumerated() {
            let isForeign = foreignTerms.contains { part == $0 || part == $0 + "s" || part == $0 + "es" }
            let isPlain = index > 0 && plainPairs.contains([parts[index - 1], part])
            if isForeign, !isPlain { return part }
        }
        return nil
    }

    /// `hasToldThem` has the parts `has`, `told`, `them`.
    private static func parts(of name: Substring) -> [String] {
        name.replacing(/[A-Z]/) { "_" + $0.output.lowercased() }.split(separator: "_").map(String.init)
    }

    @Test func filesHoldOneIdea() throws {
        for file in try (Self.sourceFolders + ["Tests"]).flatMap({ try SourceTree.files(in: $0) }) {
            #expect(file.lines.count <= 700, "\(file.path) has \(file.lines.count) lines; split it by what it holds")
        }
    }

    /// The formatter counts no line of a comment.
    @Test func commentsFitTheScreen() throws {
        for file in try (Self.sourceFolders + ["Tests", "Benchmarks"]).flatMap({ try SourceTree.files(in: $0) }) {
            for (index, line) in file.lines.enumerated() where line.utf8.count > Self.longestLine {
                let fits = !line.drop(while: { $0 == " " }).hasPrefix("//") || line.count <= Self.longestLine
                #expect(fits, "\(file.path):\(index + 1) has \(line.count) columns, more than \(Self.longestLine)")
            }
        }
    }

    private static let longestLine = 128

    @Test func nothingIsLeftForLater() throws {
        let markers = ["TO" + "DO", "FIX" + "ME", "XX" + "X:", "not imple" + "mented"]
        for file in try (Self.sourceFolders + ["Tests"]).flatMap({ try SourceTree.files(in: $0) }) {
            for marker in markers {
                #expect(!file.text.contains(marker), "\(file.path) has \(marker)")
            }
        }
    }

    @Test func migrationsAreNumberedWithoutGaps() throws {
        for (folder, prefix) in [("Store", "store"), ("Gateway", "gateway")] {
            let numbers = try SourceTree.files(in: "Migrations/\(folder)", withExtension: "sql")
                .map { try #require($0.path.firstMatch(of: /\/(\w+)-(\d{4})-[a-z0-9-]+\.sql$/)?.output) }
                .map { (String($0.1), Int($0.2) ?? 0) }
                .sorted { $0.1 < $1.1 }
            #expect(numbers.map(\.0).allSatisfy { $0 == prefix })
            #expect(numbers.map(\.1) == Array(1...max(1, numbers.count)))
        }
    }
}
