import DocumentValues
import Foundation

/// Where texts are that no record has: beside the records, or, where that disk takes nothing more, in a folder of the user's
/// own elsewhere.
struct TextFolders {
    private let beside: UnfinishedTexts
    private let spare: [SpareFolder]

    init(folder: URL, spare: [SpareFolder]) {
        beside = UnfinishedTexts(folder: folder)
        self.spare = spare
    }

    /// Writes one of this shell, which stays hidden while its question is open.
    func hold(_ text: String) throws(EditorError) -> WrittenText {
        do throws(EditorError) { return try beside.hold(text) } catch {
            if let held = elsewhere({ (texts) throws(EditorError) in try texts.hold(text) }) { return held }
            throw error
        }
    }

    /// Has one of this shell where a person sees it.
    func keep(_ text: WrittenText) throws(EditorError) -> URL {
        if let file = text.file {
            let folder = spare.first { file.path.hasExactPrefix($0.url.path + "/") }?.url
            return try (folder.map { UnfinishedTexts(folder: $0) } ?? beside).keep(text)
        }
        do throws(EditorError) { return try beside.keep(text) } catch {
            if let kept = elsewhere({ (texts) throws(EditorError) in try texts.keep(text) }) { return kept }
            throw error
        }
    }

    func discard(_ text: WrittenText) { beside.discard(text) }

    /// A folder with room for any answer, in which an editor may write.
    func roomy() -> URL {
        let room = String(repeating: " ", count: ShellLimits.editorRoom)
        do throws(EditorError) {
            let held = try hold(room)
            discard(held)
            return held.file?.deletingLastPathComponent() ?? beside.folder
        } catch {
            // The editor fails there for the same reason, and says it.
            return beside.folder
        }
    }

    /// Each with its own texts, those of shells that have ended among them.
    var all: [UnfinishedTexts] { [beside] + spare.filter(\.isOwn).map { UnfinishedTexts(folder: $0.url) } }

    /// - Returns: `nil` where none of the other folders takes it: then the error that counts is that of the disk with the
    ///   records.
    private func elsewhere<Value>(_ write: (UnfinishedTexts) throws(EditorError) -> Value) -> Value? {
        for folder in spare where folder.make() {
            do throws(EditorError) { return try write(UnfinishedTexts(folder: folder.url)) } catch { continue }
        }
        return nil
    }
}
