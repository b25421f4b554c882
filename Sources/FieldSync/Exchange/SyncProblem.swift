/// Why a sync did not do what it is for.
public enum SyncProblem: Error {
    /// The exchange ended with an error.
    ///
    /// - Parameter report: what was done until then.
    case failed(any Error, report: SyncReport)
    /// Another program that is not a service exchanges this folder's records just now.
    case folderIsBusy
    /// The service has tried, and this is what came of it.
    ///
    /// - Parameter goesOnByItself: whether it tries again when the gateway is back.
    case refusedByService(why: String, goesOnByItself: Bool, report: SyncReport)
    /// This folder has a service already.
    case serviceRuns(process: Int32?)
    /// A service runs once, and this one has.
    case serviceHasRun
    /// The service ended before it had answered.
    case serviceEnded
    case serviceDoesNotAnswer(process: Int32?)
    /// Somebody stopped waiting for the service, which goes on by itself.
    case notAwaited
}
