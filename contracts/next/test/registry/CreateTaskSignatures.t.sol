// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {AnsweringWallet, CallingWallet, GasBurningWallet, RevertingWallet, SigningWallet} from "../mocks/Wallets.sol";
import "./OperationTest.sol";

/// @dev The absent party's acceptance in createTask:
///   a key's signature
///     good for exactly these terms, once, on this chain, at this registry
///     refused: another signer's, over any other digest, in its malleable form
///     the caller's own signature is never looked at
///   a wallet's signature (ERC-1271)
///     good as worker, as poster; an account with code is asked by its code, not by a key
///     refused: one made for another wallet of the same owner, any answer but yes; all gas burnt
///     the wallet is asked before anything is written, and cannot re-enter
contract CreateTaskSignaturesTest is OperationTest {
    function test_reverts_forTheMalleableTwinOfASignature() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        bytes32 digest = termsDigest(terms);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(workerKey, digest);
        uint8 twinV = v == 27 ? 28 : 27;
        bytes32 twinS = bytes32(KEY_ORDER - uint256(s));
        assertEq(ecrecover(digest, twinV, r, twinS), worker, "the twin recovers, too");
        expectBadSignature(worker);
        createAs(poster, terms, abi.encodePacked(r, twinS, twinV));
    }

    function test_reverts_onAnotherChain() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        bytes32 elsewhere = termsDigest(domainSeparator(1, address(registry)), terms);
        expectBadSignature(worker);
        createAs(poster, terms, signWith(workerKey, elsewhere));
        bytes memory signature = signWith(workerKey, termsDigest(terms));
        vm.chainId(1);
        expectBadSignature(worker);
        createAs(poster, terms, signature);
        createAs(poster, terms, signWith(workerKey, elsewhere));
    }

    function test_reverts_atAnotherRegistry() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        bytes memory signature = signWith(workerKey, termsDigest(terms));
        createAs(poster, terms, signature);
        deployMarket(address(tok), address(usdc));
        equip(poster);
        equip(worker);
        expectBadSignature(worker);
        createAs(poster, terms, signature);
        createAs(poster, terms, signWith(workerKey, termsDigest(terms)));
    }

    function test_reverts_whenTheTermsHaveMadeATaskAlready() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        bytes memory workerSig = signWith(workerKey, termsDigest(terms));
        uint256 taskId = createAs(poster, terms, workerSig);
        expectSaltUsed(terms);
        createAs(poster, terms, workerSig);
        leaveTask(taskId);
        assertState(taskId, State.CANCELLED);
        expectSaltUsed(terms);
        createAs(poster, terms, workerSig);
        assertEq(registry.taskCount(), 1);
    }

    /// @dev A poster that got two signatures of its worker over one salt, say for two prices, makes one task with them.
    function test_reverts_whenOtherTermsWithTheSameSaltHaveMadeATask() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        TaskTerms memory others = signedTerms(Scope.OPEN, noMilestones());
        others.totalAmount = 2 * TOTAL;
        bytes memory othersSig = signWith(workerKey, termsDigest(others));
        createAs(poster, terms, signWith(workerKey, termsDigest(terms)));
        expectSaltUsed(others);
        createAs(poster, others, othersSig);
        assertEq(registry.taskCount(), 1);
    }

    function test_aSaltIsUsedUpForThesePartiesOnly() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        createAs(poster, terms, signWith(workerKey, termsDigest(terms)));
        (address other, uint256 otherKey) = makeAddrAndKey("another worker");
        equip(other);
        terms.worker = other;
        createAs(poster, terms, signWith(otherKey, termsDigest(terms)));
        (terms.poster, terms.worker) = (worker, poster);
        createAs(worker, terms, signWith(posterKey, termsDigest(terms)));
        assertEq(registry.taskCount(), 3);
    }

    function test_acceptsAWalletAsWorker() public {
        worker = enter(address(new SigningWallet(worker)), worker);
        checkCreation(poster, workerKey);
    }

    function test_acceptsAWalletAsPoster() public {
        poster = enter(address(new SigningWallet(poster)), poster);
        checkCreation(poster, workerKey);
    }

    function test_asksAnAccountWithCodeByItsCode() public {
        vm.etch(worker, address(new RevertingWallet()).code);
        checkRefusal(worker);
        // The code at the worker's address takes the word of another key only.
        vm.etch(worker, address(new SigningWallet(rival)).code);
        SigningWallet(worker).rotate(rival);
        checkRefusal(worker);
        SigningWallet(worker).rotate(vm.addr(workerKey));
        checkCreation(poster, workerKey);
    }

    function test_reverts_forASignatureMadeForAnotherWalletOfTheSameOwner() public {
        address first = address(new SigningWallet(worker));
        address second = address(new SigningWallet(worker));
        equip(second);
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        terms.worker = first;
        bytes memory signature = signWith(workerKey, termsDigest(terms));
        terms.worker = second;
        expectBadSignature(second);
        createAs(poster, terms, signature);
    }

    function test_reverts_forAnyAnswerButYes() public {
        bytes4 yes = IERC1271.isValidSignature.selector;
        bytes[6] memory answers = [
            bytes(""),
            abi.encodePacked(yes),
            abi.encode(true),
            abi.encode(bytes4(0xffffffff)),
            abi.encodePacked(yes, bytes28(uint224(1))),
            new bytes(10_000)
        ];
        for (uint256 index = 0; index < answers.length; ++index) {
            checkRefusal(address(new AnsweringWallet(answers[index])));
        }
    }

    function test_reverts_whenTheWalletBurnsAllItsGas() public {
        address wallet = address(new GasBurningWallet());
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        terms.worker = wallet;
        expectBadSignature(wallet);
        vm.prank(poster);
        registry.createTask{gas: 3_000_000}(terms, noMilestones(), "", "", 0);
    }

    function test_asksTheWalletBeforeAnythingIsWritten() public {
        bytes memory count = abi.encodeCall(ITaskRegistry.taskCount, ());
        address wallet = address(new CallingWallet(address(registry), count, true, abi.encode(0)));
        checkWalletCreation(wallet);
    }

    function test_letsNoWalletReenter() public {
        uint256 taskId = postedUnfunded();
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        bytes memory workerSig = signWith(workerKey, termsDigest(terms));
        bytes[15] memory entries = [
            abi.encodeCall(ITaskRegistry.postTask, (postParams())),
            abi.encodeCall(ITaskRegistry.createTask, (terms, noMilestones(), workerSig, "", 0)),
            abi.encodeCall(ITaskRegistry.claimTask, (taskId, 0)),
            abi.encodeCall(ITaskRegistry.fundTask, (taskId, 1)),
            abi.encodeCall(ITaskRegistry.startWork, (taskId, 0)),
            abi.encodeCall(ITaskRegistry.submitProof, (taskId, 0, PROOF, "")),
            abi.encodeCall(ITaskRegistry.acceptMilestone, (taskId, 0, 0)),
            abi.encodeCall(ITaskRegistry.completeTask, (taskId, 0)),
            abi.encodeCall(ITaskRegistry.openDispute, (taskId, 0, EVIDENCE, "")),
            abi.encodeCall(ITaskRegistry.leaveTask, (taskId, State.POSTED)),
            abi.encodeCall(ITaskRegistry.extendDeadline, (taskId, 0)),
            abi.encodeCall(ITaskRegistry.dismissWorker, (taskId, 0)),
            abi.encodeCall(ITaskRegistry.cancelTask, (taskId)),
            abi.encodeCall(ITaskRegistry.resolveTimedOut, (taskId)),
            abi.encodeCall(ITaskRegistry.settleDispute, (taskId, SettlementKind.MUTUAL, 0, address(0)))
        ];
        bytes memory refusal = abi.encodeWithSignature("ReentrancyGuardReentrantCall()");
        for (uint256 index = 0; index < entries.length; ++index) {
            checkWalletCreation(address(new CallingWallet(address(registry), entries[index], false, refusal)));
        }
        assertEq(registry.taskCount(), 1 + entries.length, "one task for each wallet");
    }

    function testFuzz_reverts_forAnyOtherKeyOrDigest(uint256 key, bytes32 digest) public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        key = bound(key, 1, KEY_ORDER - 1);
        vm.assume(key != workerKey && digest != termsDigest(terms));
        expectBadSignature(worker);
        createAs(poster, terms, signWith(key, termsDigest(terms)));
        expectBadSignature(worker);
        createAs(poster, terms, signWith(workerKey, digest));
    }

    function testFuzz_reverts_forAnyBytes(bytes calldata signature) public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        expectBadSignature(worker);
        createAs(poster, terms, signature);
    }

    /// @dev The signature is the worker's.
    function createAs(address caller, TaskTerms memory terms, bytes memory signature) private returns (uint256) {
        vm.prank(caller);
        return registry.createTask(terms, noMilestones(), signature, "", 0);
    }

    /// @dev Equips a wallet that takes a person's part; the person stays in the books as the stranger.
    function enter(address wallet, address person) private returns (address) {
        stranger = person;
        equip(wallet);
        return wallet;
    }

    function checkCreation(address caller, uint256 absentKey) private {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        Books memory books = readBooks();
        expectEntry(books, books.poster);
        expectEntry(books, books.worker);
        uint256 taskId = createAs(caller, terms, signWith(absentKey, termsDigest(terms)));
        assertBooks(books);
        assertState(taskId, State.CLAIMED);
        assertEq(digestOf(taskId), termsDigest(terms));
    }

    function checkWalletCreation(address wallet) private {
        equip(wallet);
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        terms.worker = wallet;
        uint256 taskId = createAs(poster, terms, "");
        assertEq(taskOf(taskId).worker, wallet);
    }

    /// @dev The account has all that either part asks for but a good answer, even to the worker's own signature.
    function checkRefusal(address account) private {
        equip(account);
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        (terms.poster, terms.worker) = (rival, account);
        expectBadSignature(account);
        createAs(rival, terms, signWith(workerKey, termsDigest(terms)));
    }

    function expectSaltUsed(TaskTerms memory terms) private {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.SaltUsed.selector, terms.salt));
    }
}
