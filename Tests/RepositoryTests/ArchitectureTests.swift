import Testing

/// What `Sources/ARCHITECTURE.md` names is there: somebody new follows it from file to file.
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
        let code = try SourceTree.files(in: "Sources").map { SwiftCode($0.text).lines.joined(separator: "\n") }
        for (number, line) in try walks() {
            for match in line.matches(of: /`(?:\w+\/)*([A-Z]\w+)(?:\.(?!swift`)\w+)?`/) {
                let declarations = ["struct", "class", "enum", "protocol"].map { "\($0) \(match.output.1)" }
                #expect(
                    code.contains { $0.holds(anyOf: declarations) },
                    "\(Self.page):\(number) names \(match.output.1), which is no type")
            }
        }
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
