import DocumentValues

/// What a command about forms has to say: lines for people, objects for programs.
public struct FormOutput: Sendable {
    public var lines: [String]
    public var objects: [JSONObject]
    /// 0, 1 where it failed, 2 where a file cannot be read.
    public var exitStatus: Int32
    /// The content of a file, for a program that reads the output; the lines are the same for people.
    public var file: [UInt8]?

    public init(lines: [String], objects: [JSONObject], exitStatus: Int32 = 0, file: [UInt8]? = nil) {
        self.lines = lines
        self.objects = objects
        self.exitStatus = exitStatus
        self.file = file
    }
}
