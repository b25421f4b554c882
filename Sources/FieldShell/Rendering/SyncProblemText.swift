import FieldRecords
import FieldSync

extension SyncProblem {
    /// For a person: what happened, and what to do.
    var advised: AdvisedText {
        switch self {
        case .failed(let error, _): return ErrorText.advised(error)
        case .folderIsBusy:
            return "Another sync of this folder runs, perhaps in another window. Wait until it has ended."
        case .refusedByService(let why, let goesOnByItself, _):
            return goesOnByItself
                ? "\(why) Your records are safe here; the sync service goes on when the gateway is back." : why
        case .serviceRuns(let process):
            return "The sync service of this folder runs already\(Self.name(process)). Its state: status"
        case .serviceHasRun: return "This sync service has run already; it needs a new one to run again."
        case .serviceEnded:
            return "The sync service has ended before it had done it. Sync again; your records are safe here."
        case .serviceDoesNotAnswer(let process):
            let way = process.map { "Stop it with: kill \($0). " } ?? ""
            return """
                The sync service\(Self.name(process)) does not answer. \(way)Then sync again; your records are safe here.
                """
        case .notAwaited: return "The sync service goes on by itself."
        }
    }

    private static func name(_ process: Int32?) -> String { process.map { " (process \($0))" } ?? "" }
}
