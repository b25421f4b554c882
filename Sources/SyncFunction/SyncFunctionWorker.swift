import DocumentValues
import Glibc

/// The other process: reads batches of calls from standard input and answers on standard output until the input ends.
package enum SyncFunctionWorker {
    /// The name of the command that starts it.
    package static let command = "sync-function-worker"

    package static func run() throws {
        limitMemory()
        let engine = try ScriptEngine()
        while let request = try? WorkerFrames.read(from: STDIN_FILENO, until: nil) {
            let reply = WorkerFrames.frame(answer(request, engine))
            guard WorkerFrames.write(reply, to: STDOUT_FILENO) else { return }
        }
    }

    /// A function that gathers memory for ever fails inside its own process.
    private static func limitMemory() {
        var limit = rlimit(
            rlim_cur: rlim_t(SyncFunctionLimits.workerMemory), rlim_max: rlim_t(SyncFunctionLimits.workerMemory))
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        // A worker that is killed must not leave a picture of its documents on disk.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    /// `{"define":n,"text":…}` compiles a function: `null`, or what is wrong as a string.
    /// `[{"f":n,"doc":…,"old":…,"user":…} …]` runs calls: an array of outcomes.
    private static func answer(_ request: [UInt8], _ engine: ScriptEngine) -> [UInt8] {
        guard let value = try? JSONValue(parsing: request) else { return Array("null".utf8) }
        if let number = value["define"]?.integerValue {
            do {
                _ = try engine.call("__define", Int32(number), Array((value["text"]?.stringValue ?? "").utf8))
                return Array("null".utf8)
            } catch let error as ScriptEngine.ScriptError {
                return JSONValue.string(error.text).bytes
            } catch {
                return JSONValue.string("\(error)").bytes
            }
        }
        return run(value.arrayValue ?? [], engine)
    }

    private static func run(_ calls: [JSONValue], _ engine: ScriptEngine) -> [UInt8] {
        var output: [UInt8] = [UInt8(ascii: "[")]
        for (index, call) in calls.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            do {
                output += try engine.call("__run", Int32(call["f"]?.integerValue ?? 0), call.bytes)
            } catch {
                // Out of memory, or too deep a recursion: the engine itself gave up.
                output += Array(#"{"rejection":{"status":500,"reason":"Exception in JS sync function"}}"#.utf8)
            }
        }
        output.append(UInt8(ascii: "]"))
        return output
    }
}
