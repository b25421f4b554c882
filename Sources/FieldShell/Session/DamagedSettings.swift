import FieldModels
import FieldRecords
import Foundation

/// Settings that cannot be read would prevent the sign-in that writes new ones.
enum DamagedSettings {
    /// Copies a damaged file to another name and begins with empty settings; the records are not in them.
    static func putAside(_ session: ShellSession) throws {
        do {
            _ = try session.settings()
        } catch let error as SettingsError {
            guard case .unreadable = error.code else { throw error }
            let file = session.folder.settingsFile
            let moment = session.environment.now().description.replacing(":", with: "")
            let copy = file.deletingLastPathComponent().appendingPathComponent("settings-damaged-\(moment).json")
            try FileManager.default.copyItem(at: file, to: copy)
            try FolderSettings().save(in: session.folder)
            session.dialogue.show(
                "The settings were damaged; they are put aside as \(copy.lastPathComponent). "
                    + "Your records are not touched by that.")
        }
    }
}
