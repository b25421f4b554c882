import ArgumentParser

@main
struct FieldbookCommandMain: ParsableCommand {
    func run() throws {}
}
