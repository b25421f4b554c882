@testable import DocumentStore
import Foundation
import Synchronization
import Testing

/// What a sink wants, and how its lines and files are, without the sinks of the process.
@Suite struct LogValueTests {
    private final class Silent: LogSinkProtocol {
        func writeLog(level: LogLevel, domain: LogDomain, message: String) {}
    }

    // MARK: Levels and domains

    @Test(arguments: LogLevel.allCases) func aSinkWantsItsLevelAndThoseThatMatterMore(level: LogLevel) {
        let console = ConsoleLogSink(level: level)
        let file = FileLogSink(level: level, directory: "/nowhere")
        let custom = CustomLogSink(level: level, logSink: Silent())
        for message in LogLevel.allCases where message != .none {
            let isWanted = level != .none && message.rawValue >= level.rawValue
            #expect(console.wants(message, domain: .database) == isWanted)
            #expect(file.wants(message) == isWanted)
            #expect(custom.wants(message, domain: .network) == isWanted)
        }
    }

    @Test func aSinkWantsItsDomains() {
        let domains: LogDomains = [.query, .network]
        let console = ConsoleLogSink(level: .debug, domains: domains)
        let custom = CustomLogSink(level: .debug, domains: domains, logSink: Silent())
        for domain in LogDomain.allCases {
            let isWanted = domain == .query || domain == .network
            #expect(
                console.wants(.error, domain: domain) == isWanted && custom.wants(.error, domain: domain) == isWanted)
        }
        #expect(LogDomain.allCases.allSatisfy { !ConsoleLogSink(level: .debug, domains: []).wants(.error, domain: $0) })
    }

    @Test func domainsAreBitsOfTheirOwn() {
        let numbers = LogDomain.allCases.map { Int($0.rawValue) }
        #expect(numbers.reduce(0, |) == numbers.reduce(0, +) && LogDomains.all.rawValue == numbers.reduce(0, +))
        let sets: [LogDomains] = [
            .database, .query, .replicator, .network, .listener, .peerDiscovery, .mdns, .multipeer,
        ]
        #expect(sets.map(\.rawValue) == numbers && sets.allSatisfy { LogDomains.all.contains($0) })
        #expect(Set(LogDomain.allCases.map(\.title)).count == LogDomain.allCases.count)
        #expect(LogLevel.allCases == LogLevel.allCases.sorted() && LogLevel.debug < .none)
    }

    @Test func domainsMayHaveLevelsOfTheirOwn() {
        var console = ConsoleLogSink(level: .error, domains: .database)
        console.set(.verbose, of: [.query, .network])
        console.set(.none, of: .network)
        #expect(console.wants(.verbose, domain: .query) && !console.wants(.debug, domain: .query))
        #expect(!console.wants(.error, domain: .network) && !console.wants(.error, domain: .replicator))
        #expect(console.wants(.error, domain: .database) && !console.wants(.warning, domain: .database))
    }

    // MARK: Lines

    @Test(arguments: [
        ("plain", "plain"), ("one\ntwo\r\nthree", "one two three"), ("\n\na\n", "a"),
        ("a\u{1B}[31mb", #"a\u{1b}[31mb"#),
        ("a\u{2028}b\u{85}c", "a b c"), ("\u{202E}x", #"\u{202e}x"#), ("é 世界", "é 世界"), ("", ""),
    ])
    func aMessageIsOneLineWithoutControls(message: String, shown: String) {
        let line = LogLine.text(.info, domain: .query, message: message, date: Date(timeIntervalSince1970: 0))
        #expect(line == "1970-01-01T00:00:00.000Z [Query] Info: \(shown)\n")
    }

    @Test func eachLevelHasItsName() {
        let lines = LogLevel.allCases.map { LogLine.text($0, domain: .mdns, message: "x", date: .distantPast) }
        #expect(
            lines.map { $0.split(separator: " ")[2] } == ["Debug:", "Verbose:", "Info:", "Warning:", "Error:", "None:"])
        #expect(lines.allSatisfy { $0.contains("[mDNS]") })
    }

    // MARK: Files

    private static func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private static func lines(of name: String, in folder: URL) throws -> [String] {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8).split(separator: "\n").map {
            String($0.split(separator: " ").last ?? "")
        }
    }

    @Test(arguments: [(-1, 1), (0, 1), (1, 1), (2, 2), (4, 4)]) func soManyFilesAreKept(wanted: Int, kept: Int) throws {
        let folder = try TestFolder()
        let writer = LogFileWriter(
            FileLogSink(level: .info, directory: folder.url.path, maxKeptFiles: wanted, maxFileSize: 1))
        for number in 0..<6 { writer.write(.info, domain: .database, message: "m\(number)") }
        let names = ["fieldbook.log"] + (1..<4).map { "fieldbook.log.\($0)" }
        #expect(try Self.names(folder.url) == Array(names.prefix(kept)))
        for (index, name) in names.prefix(kept).enumerated() {
            #expect(try Self.lines(of: name, in: folder.url) == ["m\(5 - index)"], "the newest is in the first")
        }
    }

    @Test func aLineIsWrittenWholeWhateverTheLimit() throws {
        let folder = try TestFolder()
        let writer = LogFileWriter(FileLogSink(level: .info, directory: folder.url.path, maxFileSize: 10))
        let long = String(repeating: "x", count: 10_000)
        writer.write(.info, domain: .database, message: long)
        #expect(try Self.lines(of: "fieldbook.log", in: folder.url) == [long])
    }

    /// The next process goes on where the last one ended.
    @Test func aFileThatIsThereIsContinued() throws {
        let folder = try TestFolder()
        for number in 0..<3 {
            LogFileWriter(FileLogSink(level: .info, directory: folder.url.path, maxFileSize: 150)).write(
                .info, domain: .database, message: "m\(number)")
        }
        #expect(try Self.lines(of: "fieldbook.log", in: folder.url) == ["m0", "m1", "m2"])
        let full = LogFileWriter(FileLogSink(level: .info, directory: folder.url.path, maxFileSize: 150))
        full.write(.info, domain: .database, message: "m3")
        #expect(try Self.lines(of: "fieldbook.log", in: folder.url) == ["m3"])
        #expect(try Self.lines(of: "fieldbook.log.1", in: folder.url) == ["m0", "m1", "m2"])
    }

    @Test func linesOfSeveralThreadsStayWhole() throws {
        let folder = try TestFolder()
        let writer = LogFileWriter(FileLogSink(level: .info, directory: folder.url.path, maxFileSize: 1 << 20))
        DispatchQueue.concurrentPerform(iterations: 200) { writer.write(.info, domain: .query, message: "m\($0)") }
        let lines = try Self.lines(of: "fieldbook.log", in: folder.url)
        #expect(lines.count == 200 && Set(lines) == Set((0..<200).map { "m\($0)" }))
    }

    @Test func foldersOfOneSinkAreComparedByAllThatTheirFilesHave() {
        let sink = FileLogSink(level: .info, directory: "/a", maxKeptFiles: 3, maxFileSize: 100)
        #expect(sink.hasSameFiles(as: FileLogSink(level: .error, directory: "/a", maxKeptFiles: 3, maxFileSize: 100)))
        for other in [
            FileLogSink(level: .info, directory: "/b", maxKeptFiles: 3, maxFileSize: 100),
            FileLogSink(level: .info, directory: "/a", maxKeptFiles: 2, maxFileSize: 100),
            FileLogSink(level: .info, directory: "/a", maxKeptFiles: 3, maxFileSize: 101), nil,
        ] { #expect(!sink.hasSameFiles(as: other)) }
    }

    @Test func anObserverHearsUntilItIsRemoved() {
        let heard = Mutex<[String]>([])
        let mark = UUID().uuidString
        let token = LogSinks.observe { level, domain, text in
            if text.contains(mark) { heard.withLock { $0.append("\(level) \(domain)") } }
        }
        LibraryLog.network.verbose("\(mark) 1")
        LibraryLog.query.error("\(mark) 2")
        token.remove()
        token.remove()
        LibraryLog.query.error("\(mark) 3")
        #expect(heard.withLock { $0 } == ["verbose network", "error query"])
    }
}
