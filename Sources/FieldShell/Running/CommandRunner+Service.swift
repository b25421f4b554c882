import DocumentValues
import FieldRecords
import FieldSync
import Foundation

/// The sync service as systemd keeps it.
extension CommandRunner {
    func service(_ request: ServiceRequest) throws -> Done {
        let unit = try unit(request)
        switch request.action {
        case .install: return try install(unit, startsNothing: request.startsNothing)
        case .uninstall: return try uninstall(unit)
        case .status: return try status(of: unit)
        }
    }

    private var variables: [String: String] { session.environment.variables }

    private func unit(_ request: ServiceRequest) throws -> ServiceUnit {
        var usual = session.environment
        usual.variables["FIELDBOOK_FOLDER"] = nil
        let program = ServiceUnit.program(
            ofLink: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        return ServiceUnit(
            program: program, folder: session.folder,
            isDefault: FieldFolder(path: usual.folderPath(nil)) == session.folder,
            passphraseFile: session.passphraseFile, passwordFile: request.passwordFile)
    }

    // MARK: Installing

    private func install(_ unit: ServiceUnit, startsNothing: Bool) throws -> Done {
        try check(unit)
        let file = unit.file(variables)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(unit.text.utf8).write(to: file, options: .atomic)
        let object: JSONObject = ["unit": .string(file.path), "started": .bool(!startsNothing)]
        if startsNothing {
            return Done("Wrote \(file.path).\nStart it with: \(Self.startCommand(unit))", object: object)
        }
        try start(unit, file: file)
        return Done(
            """
            The sync service runs, and starts whenever you log in; to have it run without: loginctl enable-linger
            How it fares: fieldbook status
            """, object: object)
    }

    /// All that would keep it from running, found out while somebody is there to mend it.
    private func check(_ unit: ServiceUnit) throws {
        _ = try session.settings()
        if unit.passphraseFile == nil, try FieldDatabase.needsPassphrase(session.folder) {
            throw SecretError(
                "The service has nobody to ask for the passphrase: write it into a file that only you can read, and "
                    + "name that by --passphrase-file FILE. Anybody who has the file can open your photos.")
        }
        _ = try session.field()
        if let file = unit.passwordFile { _ = try SecretSource(dialogue: session.dialogue).read(file: file) }
    }

    private static func startCommand(_ unit: ServiceUnit) -> String {
        "systemctl --user enable --now \(shellArgument(unit.name))"
    }

    /// Other folders' names may contain backslashes.
    private static func shellArgument(_ text: String) -> String { text.contains("\\") ? "'\(text)'" : text }

    private func start(_ unit: ServiceUnit, file: URL) throws {
        do {
            guard let systemd = UserSystemd(variables) else { throw SystemdError("There is no systemctl here.") }
            try systemd.perform(["daemon-reload"])
            try systemd.perform(["enable", unit.name])
            // Not only started: the one that runs may be of an earlier unit.
            try systemd.perform(["restart", unit.name])
        } catch let error as SystemdError {
            throw SystemdError(
                """
                Wrote \(file.path), but systemd has not started it: \(ErrorText.sentence(error.description))
                Once systemd runs for you, as it does after logging in: \(Self.startCommand(unit))
                Without systemd, in a window of its own: fieldbook sync --continuous
                """)
        }
    }

    // MARK: Uninstalling

    private func uninstall(_ unit: ServiceUnit) throws -> Done {
        let file = unit.file(variables)
        let wasThere = FileManager.default.fileExists(atPath: file.path)
        var lines = [wasThere ? "Removed \(file.path)." : "There is no sync service of this folder to remove."]
        if wasThere {
            if let trouble = stop(unit) { lines.append("systemd was not asked to stop it: \(trouble)") }
            try FileManager.default.removeItem(at: file)
            _ = try UserSystemd(variables)?.run(["daemon-reload"])
        }
        let folder = ServiceFolder(of: session.folder)
        if try folder.isServiceRunning() {
            let way = folder.notes().service.map { "; stop it with: kill \($0.process)" } ?? ""
            lines.append("A sync service still runs\(way)")
        } else if folder.notes().service != nil {
            // Nobody is to miss it any more.
            try folder.change { $0.service = nil }
        }
        return Done(lines.joined(separator: "\n"), object: ["unit": .string(file.path), "removed": .bool(wasThere)])
    }

    /// - Returns: why systemd did not do it.
    private func stop(_ unit: ServiceUnit) -> String? {
        guard let systemd = UserSystemd(variables) else { return "there is no systemctl here." }
        do throws(SystemdError) {
            try systemd.perform(["disable", "--now", unit.name])
            return nil
        } catch {
            return ErrorText.sentence(error.description)
        }
    }

    // MARK: Asking

    private func status(of unit: ServiceUnit) throws -> Done {
        let file = unit.file(variables)
        let isThere = FileManager.default.fileExists(atPath: file.path)
        let active = try? UserSystemd(variables)?.run(["is-active", unit.name]).text
        let status = try session.syncStatus()
        var object = JSONRenderer.object(status)
        object["unit"] = isThere ? .string(file.path) : nil
        object["systemd"] = isThere ? active.map { .string($0) } : nil
        let lines =
            ["Unit      \(isThere ? file.path : "none; make it with: fieldbook service install")"]
            + (isThere ? ["systemd   \(active ?? "cannot be asked")"] : [])
            + TextRenderer.labelled("Sync", lines: ServiceText.lines(status, unsent: nil))
        return Done(lines.joined(separator: "\n"), object: object)
    }
}
