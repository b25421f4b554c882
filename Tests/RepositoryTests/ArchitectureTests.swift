import Testing

/// Every file and type that `Sources/ARCHITECTURE.md` names exists: a newcomer follows it from file to file.
@Suite struct ArchitectureTests {
    private static let page = "Sources/ARCHITECTURE.md"

    @Test func everyFileThatIsNamedExists() throws {
        let files = Set(
            try ["Sources", "Models", "Tests"].flatMap { try SourceTree.files(in: $0) }.map(\.path))
        var named = 0
        for (index, line) in try lines().enumerated() {
            // `…Limits.swift` is a family of files.
            for match in line.matches(of: /`([\w+\/]+\.swift)`/) {
                named += 1
                let path = String(match.output.1)
                #expect(
                    files.contains(path) || files.contains("Sources/\(path)"),
                    "\(Self.page):\(index + 1) names \(path), which does not exist")
            }
        }
        #expect(named > 40, "the files are named as they used to be")
    }

    @Test func everyTypeOnTheWalksExists() throws {
        let declared = try Self.declared.get()
        for (number, line) in try walks() {
            for type in Self.types(in: line) {
                #expect(declared[type] != nil, "\(Self.page):\(number) names \(type), which is no type")
            }
        }
    }

    /// The number of files of each walk. It grows only with stations that the page had left out; the page says why the second
    /// walk has more than the others.
    private static let mostFiles = [30, 33, 19]

    /// A station that names four types in brackets sends its reader to four files more, so these count as well.
    @Test func theWalksPassFewFiles() throws {
        let declared = try Self.declared.get()
        var walks: [Set<String>] = []
        for (_, line) in try self.walks() {
            if line.hasPrefix("1. ") { walks.append([]) }
            guard !walks.isEmpty else { continue }
            let files = line.matches(of: /`([\w+\/]+\.swift)`/).map { "Sources/\($0.output.1)" }
            walks[walks.count - 1].formUnion(files + Self.types(in: line).compactMap { declared[$0] })
        }
        let counts = walks.map(\.count)
        #expect(
            counts.count == Self.mostFiles.count && zip(counts, Self.mostFiles).allSatisfy { $0 <= $1 },
            "files: \(counts)")
    }

    private static func types(in line: Substring) -> [String] {
        line.matches(of: /`(?:\w+\/)*([A-Z]\w+)(?:\.(?!swift`)\w+)?`/).map { String($0.output.1) }
    }

    /// The file of each type.
    private static let declared: Result<[String: String], any Error> = Result {
        var files: [String: String] = [:]
        for file in try SourceTree.files(in: "Sources") {
            for line in SwiftCode(file.text).lines where line.holds(anyOf: ["struct ", "class ", "enum ", "protocol "])
            {
                for match in line.matches(of: /\b(?:struct|class|enum|protocol) (\w+)/) {
                    files[String(match.output.1)] = files[String(match.output.1)] ?? file.path
                }
            }
        }
        return files
    }

    /// From the laptop's save over the gateway to the other laptop, each short enough to be read at once.
    @Test func theWalksAreThreeShortLists() throws {
        var stations: [Int] = []
        for (number, line) in try walks() {
            guard let match = line.firstMatch(of: /^(\d+)\. `[\w+\/]+\.swift`/), let station = Int(match.output.1)
            else {
                #expect(!line.contains(/^\d/), "\(Self.page):\(number) is a station without a file")
                continue
            }
            if station == 1 { stations.append(0) }
            try #require(!stations.isEmpty, "\(Self.page):\(number) is no first station")
            stations[stations.count - 1] += 1
            #expect(stations.last == station, "\(Self.page):\(number)")
        }
        #expect(stations.count == 3 && stations.allSatisfy { $0 <= 16 }, "stations: \(stations)")
    }

    private func lines() throws -> [Substring] {
        try SourceTree.text(of: Self.page).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The section's lines with their numbers.
    private func walks() throws -> [(number: Int, line: Substring)] {
        let lines = try lines()
        let start = try #require(lines.firstIndex(of: "## Three walks"))
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
        return (start..<end).map { (number: $0 + 1, line: lines[$0]) }
    }
}
