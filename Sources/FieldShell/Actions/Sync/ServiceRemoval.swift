import DocumentValues
import FieldRecords
import FieldSync
import Foundation

/// Has systemd run the sync service of a folder no more.
struct ServiceRemoval {
    let session: ShellSession
    let unit: ServiceUnit

    func run() throws -> Done {
        let file = unit.file(session.environment.variables)
        let wasThere = FileManager.default.fileExists(atPath: file.path)
        var lines = [wasThere ? "Removed \(file.path)." : "There is no sync service of this folder to remove."]
        if wasThere {
            if let trouble = stop() { lines.append("systemd was not asked to stop it: \(trouble)") }
            try FileManager.default.removeItem(at: file)
            _ = try UserSystemd(session.environment.variables)?.run(["daemon-reload"])
        }
        let folder = ServiceFolder(of: session.folder)
        if try folder.isServiceRunning() {
            let way = folder.notes().service.map { "; stop it with: kill \($0.process)" } ?? ""
            lines.append("A sync service still runs\(way)")
        } else if folder.notes().service != nil {
            // From now on its absence is not reported.
            try folder.change { $0.service = nil }
        }
        return Done(lines.joined(separator: "\n"), object: ["unit": .string(file.path), "removed": .bool(wasThere)])
    }

    /// - Returns: why systemd did not do it.
    private func stop() -> String? {
        guard let systemd = UserSystemd(session.environment.variables) else { return "there is no systemctl here." }
        do throws(SystemdError) {
            try systemd.perform(["disable", "--now", unit.name])
            return nil
        } catch {
            return ErrorText.sentence(error.description)
        }
    }
}
