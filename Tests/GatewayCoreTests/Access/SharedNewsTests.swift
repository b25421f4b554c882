import DocumentValues
import Synchronization
import Testing

@testable import GatewayCore

/// Rows that all feeds of a channel want after a commit are read once.
@Suite(.timeLimit(.minutes(1))) struct SharedNewsTests {
    private static func part(after sequence: UInt64, of channel: Name = "x") -> ChannelPart {
        ChannelPart(
            ChannelKey(collection: 1, channel: channel), after: sequence, through: 1_000,
            limit: GatewayLimits.newsReadInPlace)
    }

    private static func insert(_ ids: [String], into store: any TestedStore) async throws {
        try await store.write { transaction in
            for id in ids {
                let row = DocumentRow.test(.test(1), at: try await transaction.nextSequence(), channels: ["x"])
                try await transaction.documents.insert(row, id: id, in: 1)
            }
        }
    }

    private static func ids(_ page: ReadInPlace<ChannelPage?>) -> [String]? { page.value??.rows.map(\.row.id) }

    @Test(arguments: StoreEngine.readingInPlace) func manyFeedsReadOnce(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let reader = CountingReader(try #require(store.inPlace))
            let news = SharedNews(from: reader, commits: store.commits)
            try await Self.insert(["a"], into: store)
            for _ in 0..<1_000 { #expect(try Self.ids(news.page(Self.part(after: 0))) == ["a"]) }
            #expect(reader.pages == 1)
            #expect(try Self.ids(news.page(Self.part(after: 1))) == [])
            #expect(try Self.ids(news.page(Self.part(after: 0, of: "y"))) == nil)
            #expect(reader.pages == 3)
        }
    }

    /// Also after a commit without a sequence, such as that of a purge.
    @Test(arguments: StoreEngine.readingInPlace) func eachCommitEndsThem(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let news = SharedNews(from: try #require(store.inPlace), commits: store.commits)
            try await Self.insert(["a"], into: store)
            #expect(try Self.ids(news.page(Self.part(after: 0))) == ["a"])
            try await Self.insert(["b"], into: store)
            #expect(try Self.ids(news.page(Self.part(after: 0))) == ["a", "b"])
            try await store.write { transaction in
                let number = try #require(try await transaction.reader.documents.number(of: "a", in: 1))
                try await transaction.documents.delete(number: number)
            }
            #expect(try Self.ids(news.page(Self.part(after: 0))) == ["b"])
        }
    }

    @Test(arguments: StoreEngine.readingInPlace) func manyRowsAreReadElsewhere(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let reader = CountingReader(try #require(store.inPlace))
            let news = SharedNews(from: reader, commits: store.commits)
            try await Self.insert((1..<GatewayLimits.newsReadInPlace).map { "d\($0)" }, into: store)
            #expect(try Self.ids(news.page(Self.part(after: 0)))?.count == GatewayLimits.newsReadInPlace - 1)
            try await Self.insert(["last"], into: store)
            #expect(try news.page(Self.part(after: 0)).value == nil)
            #expect(try Self.ids(news.page(Self.part(after: 1)))?.count == GatewayLimits.newsReadInPlace - 1)
        }
    }

    /// A feed that follows one channel reads its news without a connection of the store's readers: the second feed gets those
    /// of the first.
    @Test func feedsOfOneChannelShareThem() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann", channels: ["x"])
            let feeds = try (0..<3).map { _ in
                try test.database.feeds.changes(
                    ChangesRequest(collection: TestDatabase.collection), as: .user("ann"))
            }
            for feed in feeds { #expect(try await feed.next(limit: 10).isCaughtUp) }
            try await test.put("a", ["channels": ["x"]])
            for feed in feeds {
                let batch = try await feed.next(limit: 10)
                #expect(batch.rows.map(\.id) == ["a"] && batch.isCaughtUp)
            }
            try await test.put("b", ["channels": ["y"]])
            for feed in feeds { #expect(try await feed.next(limit: 10).rows.isEmpty) }
        }
    }
}

/// Counts the pages that are read.
private final class CountingReader: InPlaceReader {
    private let reader: any InPlaceReader
    private let count = Mutex(0)
    var pages: Int { count.withLock(\.self) }

    init(_ reader: any InPlaceReader) { self.reader = reader }

    func page(_ part: ChannelPart) throws -> ReadInPlace<ChannelPage?> {
        count.withLock { $0 += 1 }
        return try reader.page(part)
    }

    func session(_ key: [UInt8]) throws -> Session? { try reader.session(key) }

    func signedIn(with key: [UInt8]) throws -> (session: Session, user: StoredPrincipal)? {
        try reader.signedIn(with: key)
    }

    func sequences(of ids: [String], in collection: Int64) throws -> [UInt64?] {
        try reader.sequences(of: ids, in: collection)
    }

    func states(of ids: [String], in collection: Int64, upTo bytes: Int) throws -> ReadInPlace<[DocumentState?]> {
        try reader.states(of: ids, in: collection, upTo: bytes)
    }

    func localDocument(
        _ id: String, in collection: Int64, upTo bytes: Int
    ) throws -> ReadInPlace<LocalDocument?> {
        try reader.localDocument(id, in: collection, upTo: bytes)
    }

    func attachment(_ digest: Name, of document: Int64, from offset: Int, count: Int) throws -> [UInt8] {
        try reader.attachment(digest, of: document, from: offset, count: count)
    }
}
