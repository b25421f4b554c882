import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Photos that another program shows: their unsealed copies, and for how long these exist.
@Suite struct PhotoViewerTests {
    private static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])

    private let root: URL
    private let shell: Shell
    /// What the viewer has shown.
    private var shown: URL { root.appendingPathComponent("shown") }

    /// With a viewer that writes down what it shows.
    private init(_ variables: [String: String]) throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("viewer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let viewer = root.appendingPathComponent("xdg-open")
        try "#!/bin/sh\n/bin/cat \"$1\" >> '\(root.path)/shown'\n"
            .write(to: viewer, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: viewer.path)
        shell = try Shell(["PATH": root.path].merging(variables) { $1 })
    }

    init() throws { try self.init([:]) }

    private func open(_ name: String = "door.png") async throws -> String {
        let photo = root.appendingPathComponent(name)
        try Self.picture.write(to: photo)
        return try await shell.type("new inspection mill --yes", "attach 1 \(photo.path)", "photo open 1", width: 400)
    }

    /// Copies that are there in a folder.
    private func copies(in folder: URL) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".png") }
    }

    private var records: URL { shell.session.folder.url }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func withoutADesktopTheCopyGoesWhenTheViewerEnds() async throws {
        let transcript = try await open()
        #expect(transcript.contains("Opened door.png.") && !transcript.contains("copy"), "\(transcript)")
        #expect(try Data(contentsOf: shown) == Self.picture)
        #expect(copies(in: records).isEmpty)
    }

    @Test(arguments: [true, false]) func onADesktopItGoesWhenTheShellEnds(hasRuntimeFolder: Bool) async throws {
        let runtime = FileManager.default.temporaryDirectory.appendingPathComponent("runtime-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
        let tests = try Self(["DISPLAY": ":0", "XDG_RUNTIME_DIR": hasRuntimeFolder ? runtime.path : "/nowhere"])
        let transcript = try await tests.open()
        #expect(transcript.contains("An unencrypted copy is in ") && transcript.contains(" until the shell ends."))
        let location = hasRuntimeFolder ? runtime : tests.records
        let copies = tests.copies(in: location)
        #expect(copies.count == 1 && copies[0].hasSuffix("/door.png"), "\(copies)")
        let folder = location.path + "/" + copies[0].dropLast("/door.png".count)
        #expect(try tests.permissions(folder) == 0o700)
        // Another shell that opens the records leaves it alone.
        PhotoCopies(of: tests.shell.session.folder, variables: tests.shell.session.environment.variables)
            .removeAbandoned(now: Date() + 3_600)
        #expect(tests.copies(in: location).count == 1)
        try tests.shell.session.close()
        #expect(tests.copies(in: location).isEmpty)
    }

    /// Of a shell that was killed, and of a command, whose picture is still to be read when it ends.
    @Test func whatStaysGoesWithTheNextStart() async throws {
        let tests = try Self(["DISPLAY": ":0"])
        _ = try await tests.open()
        tests.shell.session.use = .command
        try tests.shell.session.close()
        let next = PhotoCopies(of: tests.shell.session.folder, variables: [:])
        next.removeAbandoned()
        #expect(tests.copies(in: tests.records).count == 1)
        next.removeAbandoned(now: Date() + ShellLimits.startOfViewer + 1)
        #expect(tests.copies(in: tests.records).isEmpty)
    }

    @Test func theShellRemovesThemWhenItStarts() async throws {
        let old = records.appendingPathComponent("shown-photos/old/copy")
        try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
        try Self.picture.write(to: old.appendingPathComponent("door.png"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date() - 3_600], ofItemAtPath: old.deletingLastPathComponent().path)
        try shell.session.close()
        _ = try shell.session.field()
        #expect(copies(in: records).isEmpty)
    }

    @Test(arguments: ["door.desktop", "door.txt", "door.svg"]) func onlyPicturesAreOpened(name: String) async throws {
        let transcript = try await open(name)
        #expect(transcript.contains("\(name) is no picture"), "\(transcript)")
        #expect(!FileManager.default.fileExists(atPath: shown.path))
    }
}
