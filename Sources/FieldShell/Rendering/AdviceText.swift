import FieldRecords

/// How commands are typed where a message is read.
enum CommandSpelling: Sendable {
    /// In the shell, without the program's name.
    case shell
    /// In the terminal.
    ///
    /// - Parameter folder: where one was named: the next command is for the same one, and not for that of the environment.
    case program(folder: String?)

    /// A command that is there in the terminal, too.
    func command(_ name: CommandName) -> String {
        switch self {
        case .shell: name.rawValue
        case .program(let folder):
            "fieldbook \(name.rawValue)\(folder.map { " --folder \(LineText.quoted($0))" } ?? "")"
        }
    }
}

/// The commands for the advice of a message.
enum AdviceText {
    static func text(_ advised: AdvisedText, spelling: CommandSpelling = .program(folder: nil)) -> String {
        advised.naming { command($0, spelling: spelling) }
    }

    /// - Parameter record: the id of the record that the advice is about, where it names none; the sign for it where the reader
    ///   knows which.
    static func command(
        _ advice: Advice, record: String = "...", spelling: CommandSpelling = .program(folder: nil)
    ) -> String {
        switch advice {
        case .makeFolder: initialization(spelling)
        case .takeOwnFolder: "fieldbook init --folder DIR, then fieldbook login --folder DIR"
        case .signIn: spelling.command(.login)
        case .resetSync: "sync --reset"
        case .retry: "outbox retry"
        case .edit(.district, let code): "edit \(record) district=\(code ?? "CODE")"
        case .edit(.inspector, let name): "edit \(record) inspector=\(name ?? "NAME")"
        case .takeOthersOut: "undo \(record)"
        case .delete(let id): "delete \(id)"
        case .undo(let id): "undo \(id)"
        case .undoLast: "undo"
        case .log(let id): "log \(id)"
        case .editAnswers(let id): "edit \(id)"
        case .moveInspection(let id, let code): "edit \(id) district=\(code ?? "CODE")"
        case .correct: "corrected=DAY"
        case .returnInspection(let id): "return \(id) REASON"
        case .listConflicts: "conflicts"
        case .decideSite(let id): "conflicts take \(id) site=SITE"
        case .listPhotos: "photo list"
        case .savePhoto: "photo save"
        case .removePhoto: "photo remove"
        case .replacePhoto: "photo save, photo remove, sync, attach, sync"
        }
    }

    /// The shell is left for it.
    private static func initialization(_ spelling: CommandSpelling) -> String {
        switch spelling {
        case .shell: CommandSpelling.program(folder: nil).command(.initialize)
        case .program: spelling.command(.initialize)
        }
    }
}
