import SeededRandom
import Testing

@Suite struct PythonGeneratorTests {
    /// As Python has them for `random.Random(20)`.
    @Test func itsNumbersArePythons() {
        var generator = PythonGenerator(seed: 20)
        #expect(
            (0..<3).map { _ in generator.random() } == [0.9056396761745207, 0.6862541570267026, 0.7665092563626442])
        #expect((0..<6).map { _ in generator.randrange(200) } == [38, 66, 172, 162, 25, 83])
    }

    @Test func theyAreItsOwnAlsoAfterTheStateWasMadeAgain() {
        var generator = PythonGenerator(seed: 20)
        for _ in 0..<2_000 { _ = generator.random() }
        #expect(generator.randrange(200) == 194 && generator.random() == 0.09543763046796971)
    }

    /// `randrange(256)` draws nine bits until they are below 256.
    @Test func powersOfTwoAreDrawnAsPythonDrawsThem() {
        var generator = PythonGenerator(seed: 20)
        #expect((0..<4).map { _ in generator.randrange(256) } == [77, 133, 51, 167])
    }
}
