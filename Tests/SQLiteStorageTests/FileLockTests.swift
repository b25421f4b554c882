import Foundation
import Glibc
import SQLiteStorage
import Testing

@Suite(.timeLimit(.minutes(1))) struct FileLockTests {
    private func lockFile(_ scratch: ScratchDatabase) -> String { scratch.folder.appendingPathComponent("lock").path }

    @Test func oneHolderExcludesAllOthers() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        let file = lockFile(scratch)
        let lock = try #require(try FileLock.take(file, mode: .exclusive))
        #expect(try FileLock.take(file, mode: .exclusive) == nil)
        #expect(try FileLock.take(file, mode: .shared, timeout: .milliseconds(20)) == nil)
        lock.release()
        lock.release()
        #expect(try FileLock.take(file, mode: .exclusive) != nil)
    }

    @Test func readersShareIt() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        let first = try #require(try FileLock.take(lockFile(scratch), mode: .shared))
        let second = try #require(try FileLock.take(lockFile(scratch), mode: .shared))
        #expect(try FileLock.take(lockFile(scratch), mode: .exclusive) == nil)
        first.release()
        second.release()
        #expect(try FileLock.take(lockFile(scratch), mode: .exclusive) != nil)
    }

    @Test func theFileIsForItsOwnerAlone() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        let lock = try #require(try FileLock.take(lockFile(scratch), mode: .exclusive))
        let mode = try FileManager.default.attributesOfItem(atPath: lockFile(scratch))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        lock.release()
    }

    /// A folder is locked without a file in it; a file in its stead is none.
    @Test func aFolderHasALockItself() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        let folder = scratch.folder.appendingPathComponent("locked", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let lock = try #require(try FileLock.take(folder: folder.path))
        #expect(try FileLock.take(folder: folder.path) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        lock.release()
        #expect(try FileLock.take(folder: folder.path) != nil)
        let file = try #require(try FileLock.take(lockFile(scratch), mode: .exclusive))
        let error = #expect(throws: FileLockError.self) { try FileLock.take(folder: lockFile(scratch)) }
        #expect(error == FileLockError(step: .open, code: ENOTDIR))
        file.release()
    }

    @Test func aFileThatIsOpenIsLockedUntilItIsClosed() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        let first = open(lockFile(scratch), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let second = open(lockFile(scratch), O_RDONLY | O_CLOEXEC)
        try #require(first >= 0 && second >= 0)
        defer { close(second) }
        #expect(try FileLock.lockOpenFile(first, mode: .exclusive))
        #expect(try !FileLock.lockOpenFile(second, mode: .shared))
        close(first)
        #expect(try FileLock.lockOpenFile(second, mode: .shared))
    }

    @Test func whatCannotBeOpenedIsAnError() throws {
        let error = try #require(throws: FileLockError.self) {
            _ = try FileLock.take("/no such folder/lock", mode: .exclusive)
        }
        #expect(error == FileLockError(step: .open, code: ENOENT))
        #expect(error.reason == "No such file or directory")
    }

    /// The kernel frees it when its process ends, however it ends.
    @Test func anotherProcessHoldsItUntilItEnds() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        let holder = Process()
        let output = Pipe()
        holder.executableURL = URL(fileURLWithPath: "/bin/sh")
        holder.arguments = ["-c", "exec flock --no-fork \"$0\" sh -c 'echo held; exec cat'", lockFile(scratch)]
        holder.standardInput = Pipe()
        holder.standardOutput = output
        try holder.run()
        #expect(try output.fileHandleForReading.read(upToCount: 5) == Data("held\n".utf8))
        #expect(try FileLock.take(lockFile(scratch), mode: .exclusive) == nil)
        #expect(try FileLock.take(lockFile(scratch), mode: .shared) == nil)
        kill(holder.processIdentifier, SIGKILL)
        #expect(try FileLock.take(lockFile(scratch), mode: .exclusive, timeout: .seconds(30)) != nil)
        holder.waitUntilExit()
    }
}
