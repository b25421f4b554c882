import FieldModels
import FieldRecords
import Foundation

/// Settings that cannot be read stand in the way of signing in, which is what would mend them.
enum DamagedSettings {
    /// Puts a damaged file aside and begins with empty settings; the records are elsewhere and stay as they are.
    static func putAside(_ session: ShellSession) throws {
        do {
            _ = try session.settings()
        } catch let error as SettingsError {
            guard case .unreadable = error.code else { throw error }
            let file = session.folder.settingsFile
            let moment = session.environment.now().description.replacing(":", with: "")
            let aside = file.deletingLastPathComponent().appendingPathComponent("settings-damaged-\(moment).json")
            try FileManager.default.copyItem(at: file, to: aside)
            try FolderSettings().save(in: session.folder)
            session.dialogue.show(
                "The settings were damaged; they are put aside as \(aside.lastPathComponent). "
                    + "Your records are not touched by that.")
        }
    }
}
