import DocumentValues
import FieldRecords
import FieldSync
import Foundation

/// The sync service as systemd keeps it.
struct ServiceCommands {
    let session: ShellSession

    func run(_ request: ServiceRequest) throws -> Done {
        let unit = try unit(request)
        switch request.action {
        case .install:
            return try ServiceInstallation(session: session, unit: unit).run(startsNothing: request.startsNothing)
        case .uninstall: return try ServiceRemoval(session: session, unit: unit).run()
        case .status: return try status(of: unit)
        }
    }

    private func unit(_ request: ServiceRequest) throws -> ServiceUnit {
        var usual = session.environment
        usual.variables["FIELDBOOK_FOLDER"] = nil
        let program = ServiceUnit.program(
            ofLink: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        return ServiceUnit(
            program: program, folder: session.folder,
            isDefault: FieldFolder(path: usual.folderPath(nil)) == session.folder,
            passphraseFile: session.opener.passphraseFile, passwordFile: request.passwordFile)
    }

    private func status(of unit: ServiceUnit) throws -> Done {
        let file = unit.file(session.environment.variables)
        let isThere = FileManager.default.fileExists(atPath: file.path)
        let active = try? UserSystemd(session.environment.variables)?.run(["is-active", unit.name]).text
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
