import FieldbookClassic
import Foundation
import Testing

/// What the examples of the second generation do beyond compiling.
@Suite struct ClassicTests {
    private let folder: URL
    private let database: Database

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("classic-\(UUID().uuidString)")
        database = try Database.open(folder: folder.path)
    }

    private func close() throws {
        try database.close()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aConfigurationIsAnObjectAndAReplicatorTakesACopy() throws {
        let url = try #require(URL(string: "ws://localhost:4984/mydatabase"))
        let config = ReplicatorConfiguration(database: database, target: URLEndpoint(url: url))
        let same = config
        same.continuous = true
        same.heartbeat = 60
        same.channels = ["north"]
        same.documentIDs = ["a"]
        same.pushFilter = { _, _ in true }
        #expect(config.continuous && config.heartbeat == 60 && config.maxAttempts == .max)
        let replicator = Replicator(config: config)
        let copy = ReplicatorConfiguration(config: config)
        config.continuous = false
        #expect(replicator.config.continuous && copy.continuous)
        let part = try #require(replicator.config.collections.first)
        #expect(part.channels == ["north"] && part.documentIDs == ["a"] && part.pushFilter != nil)
        #expect(part.collection.fullName == "_default._default" && part.pullFilter == nil)
        #expect(throws: Never.self) { try replicator.config.validate() }
        try close()
    }

    @Test func aClosedDatabaseIsAnErrorOfTheReplicator() throws {
        try close()
        let url = try #require(URL(string: "ws://localhost:4984/mydatabase"))
        let config = ReplicatorConfiguration(database: database, target: URLEndpoint(url: url))
        let replicator = Replicator(config: config)
        replicator.resetCheckpoint()
        replicator.start()
        // It is stopped before it is started, too: the error shows that it was started, and why it ended.
        let error = try #require(replicator.status.error) as NSError
        #expect(replicator.status.activity == .stopped && error.domain == CBLError.domain)
        #expect(error.code == CBLError.notOpen, "\(error)")
    }

    private final class Kept: Logger, @unchecked Sendable {
        let level = LogLevel.info
        private let lock = NSLock()
        private var messages: [String] = []

        var all: [String] { lock.withLock { messages } }

        func log(level: LogLevel, domain: LogDomain, message: String) { lock.withLock { messages.append(message) } }
    }

    @available(*, deprecated)
    @Test func aLoggerGetsWhatIsSaid() throws {
        let kept = Kept()
        Database.log.custom = kept
        #expect((Database.log.custom as? Kept) === kept)
        try database.performMaintenance(type: .optimize)
        Database.log.custom = nil
        #expect(Database.log.custom == nil && LogSinks.custom == nil)
        #expect(kept.all.contains { $0.hasPrefix("Maintenance of ") }, "\(kept.all)")
        try close()
    }

    @available(*, deprecated)
    @Test func indexesOfADatabaseAreThoseOfItsDefaultCollection() throws {
        try database.createIndex(
            IndexBuilder.valueIndex(items: ValueIndexItem.property("type"), ValueIndexItem.property("name")),
            withName: "TypeNameIndex")
        try database.createIndex(ValueIndexConfiguration(["type"]), name: "TypeIndex")
        #expect(database.indexes == ["TypeIndex", "TypeNameIndex"])
        #expect(try database.defaultCollection().indexes() == database.indexes)
        try database.deleteIndex(forName: "TypeIndex")
        #expect(database.indexes == ["TypeNameIndex"])
        try close()
        #expect(database.indexes.isEmpty)
    }

    @available(*, deprecated)
    @Test func textsAreFoundByAFullTextExpression() throws {
        try database.createIndex(
            IndexBuilder.fullTextIndex(items: FullTextIndexItem.property("name")).ignoreAccents(false),
            withName: "nameFTSIndex")
        for (id, name) in [("a", "Old mill"), ("b", "Quay")] {
            try database.saveDocument(MutableDocument(id: id).setString(name, forKey: "name"))
        }
        let query = QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.database(database))
            .where(FullTextExpression.index("nameFTSIndex").match("mill"))
        #expect(try query.execute().allResults().map { $0.string(at: 0) } == ["a"])
        try close()
    }

    @Test func bytesThatAreNoCertificateMakeNone() throws {
        #expect(SecCertificateCreateWithData(nil, Data("x".utf8)) == nil)
        #expect(SecCertificateCreateWithData(nil, NSData(data: Data([0x30, 0x03, 2, 1, 1]))) == nil)
        let certificate = try #require(Data(base64Encoded: Self.certificate))
        #expect(SecCertificateCreateWithData(nil, NSData(data: certificate)) != nil)
    }

    private static let certificate = """
        MIIBbjCCARWgAwIBAgIUEshHAd5I97Zg1H1ANFXdFZfwiycwCgYIKoZIzj0EAwIw\
        DDEKMAgGA1UEAwwBZzAgFw0yNjExMjkxODA3NTVaGA8yMTI2MTEwNTE4MDc1NVow\
        DDEKMAgGA1UEAwwBZzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABK9HenUborVT\
        j82D37SNCI0N5EGVpqG4rJLRqIpQoJPfoZViKxfgaIdrkNMsWAhHB62m2LvqbmMi\
        1Sw8XiRldaujUzBRMB0GA1UdDgQWBBQ8J0qASJFiYSRIwMBur/W6cRLrNjAfBgNV\
        HSMEGDAWgBQ8J0qASJFiYSRIwMBur/W6cRLrNjAPBgNVHRMBAf8EBTADAQH/MAoG\
        CCqGSM49BAMCA0cAMEQCIHXZGt+ctYXBXHJ535OkP03SNFjIOiybTD6/0DlMsynr\
        AiAINggfPZldst+ZsUmtvozZI3i4+c4IPYd/bT2U274vbg==
        """
}
