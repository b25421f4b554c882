import Foundation

/// Files as opposed to folders, pipes and devices, behind links too.
enum PlainFile {
    /// - Returns: true also for what is not there: whoever opens it reports that.
    static func isPossible(at url: URL) -> Bool {
        guard let found = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path) else {
            return true
        }
        return found[.type] as? FileAttributeType == .typeRegular
    }
}
