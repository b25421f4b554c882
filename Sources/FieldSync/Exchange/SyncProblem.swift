import FieldRecords

/// Why a sync has not exchanged the records.
public enum SyncProblem: Error {
    /// The exchange ended with an error.
    ///
    /// - Parameter report: the records exchanged until then.
    case failed(any Error, report: SyncReport)
    /// Another program, which is not a service, is exchanging this folder's records.
    case folderIsBusy
    /// The service has tried and failed.
    ///
    /// - Parameter goesOnByItself: whether it tries again when the gateway is back.
    case refusedByService(why: AdvisedText, goesOnByItself: Bool, report: SyncReport)
    /// This folder has a service already.
    case serviceRuns(process: Int32?)
    /// A service runs only once, and this one has already run.
    case serviceHasRun
    /// The service ended before it had answered.
    case serviceEnded
    case serviceDoesNotAnswer(process: Int32?)
    /// The wait for the service was cancelled; the service goes on.
    case notAwaited
}
