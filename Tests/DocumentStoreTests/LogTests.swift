import Dispatch
import Foundation
import Synchronization
import Testing

@testable import DocumentStore

/// The sinks belong to the process: one test at a time.
@Suite(.serialized) struct LogTests {
    private final class Collected: LogSinkProtocol {
        private let kept = Mutex<[String]>([])
        var messages: [String] { kept.withLock { $0 } }

        func writeLog(level: LogLevel, domain: LogDomain, message: String) {
            kept.withLock { $0.append("\(level) \(domain) \(message)") }
        }
    }

    /// Puts back what was set before.
    private func restoring(_ body: () throws -> Void) rethrows {
        let (console, file, custom) = (LogSinks.console, LogSinks.file, LogSinks.custom)
        defer { (LogSinks.console, LogSinks.file, LogSinks.custom) = (console, file, custom) }
        try body()
    }

    @Test func theDefaultsAreTheReferences() {
        #expect(LogSinks.console?.level == .warning)
        #expect(LogSinks.console?.domains == .all)
        #expect(LogSinks.file == nil)
        #expect(LogSinks.custom == nil)
        let file = FileLogSink(level: .info, directory: "/nowhere")
        #expect(!file.usePlainText)
        #expect(file.maxKeptFiles == 2)
        #expect(file.maxFileSize == 524_288)
        #expect(LogDomains.all.contains([.database, .replicator, .network, .multipeer]))
    }

    private final class OwnLogger: Database.Logger {
        let level = LogLevel.info
        let collected = Collected()

        func log(level: LogLevel, domain: LogDomain, message: String) {
            collected.writeLog(level: level, domain: domain, message: message)
        }
    }

    @Test func theLoggerOfVersion3IsACustomSink() {
        restoring {
            LogSinks.console = nil
            // As `Database.log`, which is deprecated.
            let (log, logger) = (Database.Log(), OwnLogger())
            log.custom = logger
            #expect((log.custom as? OwnLogger) === logger && LogSinks.custom?.level == .info)
            LogSinks.write(.info, domain: .query) { "one" }
            LogSinks.write(.verbose, domain: .query) { "two" }
            #expect(logger.collected.messages.contains("info query one"))
            #expect(!logger.collected.messages.contains("verbose query two"))
            log.custom = nil
            #expect(LogSinks.custom == nil)
        }
    }

    @Test func theDefaultsOfVersion3AreTheSame() {
        #expect(LogFileConfiguration.defaultMaxSize == 524_288 && LogFileConfiguration.defaultMaxRotateCount == 1)
        #expect(!LogFileConfiguration.defaultUsePlainText && !FileLogSink.defaultUsePlainText)
        #expect(!FullTextIndexConfiguration.defaultIgnoreAccents && !DatabaseConfiguration.defaultFullSync)
        #expect(!DatabaseConfiguration().fullSync && !FullTextIndexConfiguration(["a"]).ignoreAccents)
    }

    @Test func aSinkGetsWhatItAskedFor() {
        restoring {
            LogSinks.console = nil
            let all = Collected()
            LogSinks.custom = CustomLogSink(level: .info, domains: .replicator, logSink: all)
            LibraryLog.replicator.info("one")
            LibraryLog.replicator.verbose("too low")
            LibraryLog.database.error("another domain")
            LibraryLog.replicator.error("two")
            LogSinks.custom = CustomLogSink(level: .none, logSink: all)
            LibraryLog.replicator.error("silenced")
            #expect(all.messages == ["info replicator one", "error replicator two"])
        }
    }

    /// As one that keeps messages in a database, and closes that.
    private final class Closing: LogSinkProtocol {
        private let isGone: DispatchSemaphore

        init(_ isGone: DispatchSemaphore) { self.isGone = isGone }

        deinit {
            LibraryLog.database.info("closed")
            isGone.signal()
        }

        func writeLog(level: LogLevel, domain: LogDomain, message: String) {}
    }

    @Test func aSinkMayUseTheLibraryAtItsEnd() {
        let isGone = DispatchSemaphore(value: 0)
        restoring {
            for isReplaced in [false, true] {
                LogSinks.custom = CustomLogSink(level: .error, logSink: Closing(isGone))
                LogSinks.custom = isReplaced ? CustomLogSink(level: .error, logSink: Collected()) : nil
                #expect(isGone.wait(timeout: .now() + 20) == .success)
            }
        }
    }

    @Test func whatNobodyWantsIsNotEvenFormatted() {
        restoring {
            LogSinks.console = ConsoleLogSink(level: .warning, domains: .database)
            var isMade = false
            LogSinks.write(.info, domain: .database) {
                isMade = true
                return ""
            }
            LogSinks.write(.error, domain: .network) {
                isMade = true
                return ""
            }
            #expect(!isMade)
        }
    }

    @Test func filesAreKeptSmallAndPrivate() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try restoring {
            LogSinks.console = nil
            LogSinks.file = FileLogSink(level: .info, directory: folder, maxKeptFiles: 3, maxFileSize: 400)
            for number in 0..<40 { LibraryLog.database.info("message \(number)\nin two lines") }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(names == ["fieldbook.log", "fieldbook.log.1", "fieldbook.log.2"])
            for name in names {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                #expect(attributes[.size] as? Int ?? .max <= 400)
            }
            let newest = try String(contentsOfFile: "\(folder)/fieldbook.log", encoding: .utf8)
            #expect(newest.hasSuffix("[Database] Info: message 39 in two lines\n"))
            let kept = try names.reversed().map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
            let lines = kept.joined().split(separator: "\n")
            #expect(lines.count == lines.filter { $0.hasSuffix(" in two lines") }.count)
        }
    }

    @Test func noFolderIsNotTheOneInWhichTheProgramRuns() {
        let file = URL(fileURLWithPath: "fieldbook.log")
        let before = try? Data(contentsOf: file)
        restoring {
            LogSinks.console = nil
            LogSinks.file = FileLogSink(level: .error, directory: "")
            LibraryLog.database.error("first")
        }
        #expect((try? Data(contentsOf: file)) == before)
    }

    /// What other tests log at the same time is not of these names.
    private func ofThisTest(_ collected: Collected) -> [String] { collected.messages.filter { $0.contains("logged_") } }

    @Test func queriesAndIndexesAreLoggedWithoutValues() throws {
        let folder = try TestFolder()
        let database = try folder.open()
        let things = try database.createCollection(name: "logged_things")
        try restoring {
            LogSinks.console = nil
            let collected = Collected()
            LogSinks.custom = CustomLogSink(level: .info, domains: .query, logSink: collected)
            for _ in 0..<2 {
                try things.createIndex(withName: "logged_names", config: ValueIndexConfiguration(["name"]))
            }
            let query = try database.createQuery("SELECT name FROM logged_things WHERE name = 'Mara' ORDER BY name")
            for _ in 0..<2 { _ = try query.execute().allResults() }
            for _ in 0..<2 { try things.deleteIndex(forName: "logged_names") }
            #expect(
                ofThisTest(collected) == [
                    "info query Made the index logged_names of \(things.fullName)",
                    "info query Query of logged_things: 1 column, WHERE, ORDER BY",
                    "info query Deleted the index logged_names of \(things.fullName)",
                ])
        }
        try database.close()
    }

    @Test func thePlanOfAQueryIsLoggedForThoseWhoLookClosely() throws {
        let folder = try TestFolder()
        let database = try folder.open()
        let things = try database.createCollection(name: "logged_things")
        try things.createIndex(withName: "logged_names", config: ValueIndexConfiguration(["name"]))
        try restoring {
            LogSinks.console = nil
            let collected = Collected()
            LogSinks.custom = CustomLogSink(level: .verbose, domains: .query, logSink: collected)
            _ = try database.createQuery("SELECT name FROM logged_things WHERE name = 'written'")
            let built = QueryBuilder.select(SelectResult.property("name")).from(DataSource.collection(things))
                .where(Expression.property("name").equalTo(Expression.string("typed by somebody")))
            _ = try built.execute().allResults()
            let messages = ofThisTest(collected)
            #expect(messages.filter { $0.contains("Plan: ") && $0.contains("INDEX logged_names") }.count == 2)
            #expect(messages.contains("verbose query Query: SELECT name FROM logged_things WHERE name = 'written'"))
            #expect(!messages.contains { $0.contains("typed by somebody") }, "\(messages)")
        }
        try database.close()
    }

    @Test func anOrderlyCloseIsNoWarning() throws {
        let folder = try TestFolder()
        try restoring {
            LogSinks.console = nil
            let collected = Collected()
            LogSinks.custom = CustomLogSink(level: .warning, domains: .database, logSink: collected)
            for _ in 0..<20 {
                let database = try folder.open()
                let collection = try database.defaultCollection()
                let token = collection.addChangeListener { _ in }
                try collection.put("a", [:])
                try database.close()
                token.remove()
            }
            #expect(!collected.messages.contains { $0.contains("closed database") }, "\(collected.messages)")
        }
    }

    @Test func aLineHasTheDayAndTheZone() {
        let date = Date(timeIntervalSince1970: 1_795_256_102.5)
        #expect(
            LogLine.text(.warning, domain: .replicator, message: "one\ntwo", date: date)
                == "2026-11-21T10:15:02.500Z [Replicator] Warning: one two\n")
    }

    @Test func anotherLevelContinuesTheSameFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try restoring {
            LogSinks.console = nil
            LogSinks.file = FileLogSink(level: .error, directory: folder)
            LibraryLog.database.error("first")
            LogSinks.file = FileLogSink(level: .info, directory: folder)
            LibraryLog.database.info("second")
            let text = try String(contentsOfFile: "\(folder)/fieldbook.log", encoding: .utf8)
            #expect(text.split(separator: "\n").map { $0.suffix(6) } == [" first", "second"])
        }
    }

    @available(*, deprecated)
    @Test func olderSpellingsSetTheSinks() {
        restoring {
            Database.log.console.level = .verbose
            Database.log.console.domains = .replicator
            #expect(LogSinks.console?.level == .verbose)
            #expect(LogSinks.console?.domains == .replicator)
            LogSinks.console = ConsoleLogSink(level: .warning)
            Database.setLogLevel(.verbose, domain: .replicator)
            Database.setLogLevel(.info, domain: .network)
            let wanted = LogDomain.allCases.map { domain in
                LogLevel.allCases.first { LogSinks.console?.wants($0, domain: domain) == true }
            }
            let expected = LogDomain.allCases.map { domain -> LogLevel in
                domain == .replicator ? .verbose : domain == .network ? .info : .warning
            }
            #expect(wanted == expected)
            let config = LogFileConfiguration(directory: "/nowhere")
            config.maxSize = 1024
            Database.log.file.config = config
            Database.log.file.level = .error
            #expect(LogSinks.file?.level == .error)
            #expect(LogSinks.file?.maxFileSize == 1024)
            #expect(LogSinks.file?.maxKeptFiles == 2)
            Database.log.file.config = nil
            #expect(LogSinks.file == nil)
        }
    }
}
