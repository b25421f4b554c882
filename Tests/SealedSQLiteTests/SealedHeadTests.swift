import Foundation
import SealedSQLite
import SodiumCrypto
import Testing

/// Passwords, keys, and files that are something else.
@Suite struct SealedHeadTests {
    private func made(_ secret: SealingSecret) throws -> ScratchFolder {
        let scratch = try ScratchFolder()
        let sealing = try FileSealing(new: secret, strength: .testsOnly)
        try SealedDatabaseFile.make(scratch.path, sealing: sealing)
        return scratch
    }

    private func code(_ scratch: ScratchFolder, _ secret: SealingSecret) -> SealedFileError.Code? {
        do throws(SealedFileError) {
            _ = try SealedDatabaseFile.open(scratch.path, secret: secret)
            return nil
        } catch { return error.code }
    }

    @Test func aPasswordOpensItsDatabaseAlone() throws {
        let scratch = try made(.password("correct horse"))
        #expect(code(scratch, .password("correct horse")) == nil)
        #expect(code(scratch, .password("correct horsf")) == .wrongKey)
        #expect(code(scratch, .key(SecretKey())) == .needsPassword)
    }

    @Test func aKeyOpensItsDatabaseAlone() throws {
        let key = SecretKey()
        let scratch = try made(.key(key))
        #expect(code(scratch, .key(key)) == nil)
        #expect(code(scratch, .key(SecretKey())) == .wrongKey)
        #expect(code(scratch, .password("correct horse")) == .needsKey)
    }

    @Test func twoDatabasesOfAKeyHaveNothingInCommon() throws {
        let key = SecretKey()
        let (first, second) = (try made(.key(key)), try made(.key(key)))
        let (one, other) = (try first.bytes(), try second.bytes())
        #expect(Array(one[..<16]) != Array(other[..<16]) && Array(one[20..<24]) != Array(other[20..<24]))
        #expect(one.count == SealedFileLimits.pageSize)
    }

    @Test(arguments: [
        ("SQLite format 3\0 and more bytes", SealedFileError.Code.notSealed),
        ("short", .notADatabase), ("", .notADatabase), ("a text that is long enough for a head", .notADatabase),
    ])
    func otherFilesAreNone(content: String, expected: SealedFileError.Code) throws {
        let scratch = try ScratchFolder()
        try scratch.write(Array(content.utf8))
        #expect(code(scratch, .password("p")) == expected)
    }

    @Test func aMissingFileIsAnError() throws {
        let scratch = try ScratchFolder()
        guard case .sqlite = try #require(code(scratch, .password("p"))) else {
            Issue.record("a missing file has no head")
            return
        }
    }

    private static let head: [UInt8] = Array(repeating: 7, count: 16) + [1, 12, 3, 28, 1, 2, 3, 4]

    @Test func aHeadIsWrittenAsItIsRead() throws {
        let head = try SealedHead(Self.head)
        #expect(head.pageSize == 4096 && head.source == .password(operations: 3, memory: 256 << 20))
        #expect(head.bytes == Self.head && SealedHead.begins(Self.head))
    }

    @Test(arguments: [
        (16, UInt8(0), SealedFileError.Code.notADatabase), (16, 2, .newerFormat), (17, 8, .notADatabase),
        (17, 17, .notADatabase), (18, 0, .notADatabase), (18, 200, .notADatabase), (19, 31, .notADatabase),
        (19, 12, .notADatabase),
    ])
    func aDamagedHeadIsRefused(index: Int, value: UInt8, expected: SealedFileError.Code) {
        var bytes = Self.head
        bytes[index] = value
        let error = #expect(throws: SealedFileError.self) { try SealedHead(bytes) }
        #expect(error?.code == expected)
        #expect(SealedHead.begins(bytes) == (expected == .newerFormat))
    }

    @Test func thePagesAreCountedWithoutSQLite() throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        try Connection(scratch.path).run("CREATE TABLE t (x); INSERT INTO t VALUES (randomblob(100000))")
        let count = try #require(try SealedDatabaseFile.pageCount(scratch.path, sealing: keyed.sealing))
        #expect(try scratch.bytes().count == count * SealedFileLimits.pageSize && count > 10)
    }

    @Test func aPathHasOneKeyAtATime() throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        let again = try scratch.keyed("scratch.sqlite3")
        let error = #expect(throws: SealedFileError.self) {
            try KeyedFile(scratch.path, sealing: FileSealing(new: scratch.secret))
        }
        #expect(error?.code == .wrongKey)
        withExtendedLifetime((keyed, again)) {}
    }

    /// A second object for the database must not take the locks of the first.
    @Test func readingTheHeadKeepsTheLocksOfTheProcess() throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        let connection = try Connection(scratch.path)
        try connection.run("CREATE TABLE t (x); BEGIN; SELECT * FROM t")
        #expect(try LockProbe.isLocked(scratch.path))
        _ = try SealedDatabaseFile.open(scratch.path, secret: scratch.secret)
        #expect(try LockProbe.isLocked(scratch.path))
        withExtendedLifetime((keyed, connection)) {}
    }
}
